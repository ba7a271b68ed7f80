/**
 * Function of a domain above, which a domain needs but cannot import. The domain declares the hook with its type, and
 * `bindHooks.ts` binds it to the function when the subgraph is built.
 */
export class Hook<Bound> {
  readonly #domain: string;
  #bound: Bound | undefined;

  constructor(domain: string) {
    this.#domain = domain;
  }

  bind(bound: Bound): void {
    this.#bound = bound;
  }

  /** @throws Error if nothing is bound, because a step that is left out silently loses data */
  get bound(): Bound {
    if (this.#bound === undefined)
      throw new Error(`The hooks of ${this.#domain} are not bound: call bindHooks.`);
    return this.#bound;
  }
}

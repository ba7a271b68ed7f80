/**
 * Connection to a function of a higher domain, which a lower domain needs but cannot import. The lower domain declares
 * the hook with its type. `bindHooks.ts` binds it to the function when the subgraph is built.
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

  /**
   * Returns the bound function.
   *
   * @throws Error if nothing is bound, because a skipped step silently loses data
   */
  get bound(): Bound {
    if (this.#bound === undefined)
      throw new Error(`The hooks of ${this.#domain} are not bound: call bindHooks.`);
    return this.#bound;
  }
}

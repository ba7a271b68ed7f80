import type { Engine } from '../../router/execution/Engine.ts';

/** Engine and its supergraph. */
export interface EngineParts {
  readonly engine: Engine;
  /** Releases the resources of the engine. It is called once, after the last execution. */
  close(): Promise<void>;
}

/** Engine and the number of requests that use it. */
class Generation<P extends EngineParts> {
  readonly parts: P;
  #users = 0;
  #whenUnused: (() => void) | null = null;

  constructor(parts: P) {
    this.parts = parts;
  }

  use(): void {
    this.#users += 1;
  }

  leave(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#whenUnused?.();
  }

  async retire(): Promise<void> {
    if (this.#users > 0) await new Promise<void>((unused) => (this.#whenUnused = unused));
    await this.parts.close();
  }
}

/** Engine of a request, from planning to the end of its response. */
export interface Lease<P extends EngineParts> {
  readonly parts: P;
  /** Releases the engine; must be called once. */
  release(): void;
}

/**
 * The current engine. A request keeps the engine with which it started, and a subscription does so for its whole
 * duration. A replaced engine is closed after its last request.
 */
export class LiveEngine<P extends EngineParts> {
  #current: Generation<P>;
  readonly #retiring = new Set<Promise<void>>();

  constructor(parts: P) {
    this.#current = new Generation(parts);
  }

  get parts(): P {
    return this.#current.parts;
  }

  lease(): Lease<P> {
    const generation = this.#current;
    generation.use();
    return { parts: generation.parts, release: () => generation.leave() };
  }

  replace(parts: P): void {
    const old = this.#current;
    this.#current = new Generation(parts);
    this.#retire(old);
  }

  /** Waits for all requests of all engines. */
  async close(): Promise<void> {
    this.#retire(this.#current);
    await Promise.all(this.#retiring);
  }

  #retire(generation: Generation<P>): void {
    const retiring = generation.retire().finally(() => this.#retiring.delete(retiring));
    this.#retiring.add(retiring);
  }
}

import type { Transport } from '../transport/Transport.ts';

interface Shared {
  readonly transport: Transport;
  holders: number;
}

/** The transports that one engine holds. */
export interface HeldTransports {
  readonly transports: Readonly<Record<string, Transport>>;
  /** To be called once, when nothing is executed with them any more. */
  release(): Promise<void>;
}

/**
 * Transports of engines that follow each other: a subgraph that stays where it is keeps its connections and what is
 * known of its health; one that is gone is closed when the last engine that knew it has finished.
 */
export class SharedTransports {
  readonly #open: (subgraph: { name: string; url: string }) => Transport;
  readonly #shared = new Map<string, Shared>();

  constructor(open: (subgraph: { name: string; url: string }) => Transport) {
    this.#open = open;
  }

  hold(subgraphs: readonly { readonly name: string; readonly url: string }[]): HeldTransports {
    const held = subgraphs.map(({ name, url }) => {
      const key = `${name} ${url}`;
      const shared = this.#shared.get(key) ?? { transport: this.#open({ name, url }), holders: 0 };
      shared.holders += 1;
      this.#shared.set(key, shared);
      return { name, key, shared };
    });
    return {
      transports: Object.fromEntries(held.map(({ name, shared }) => [name, shared.transport])),
      release: async () => {
        for (const { key, shared } of held) {
          shared.holders -= 1;
          if (shared.holders > 0) continue;
          this.#shared.delete(key);
          await shared.transport.close?.();
        }
      },
    };
  }
}

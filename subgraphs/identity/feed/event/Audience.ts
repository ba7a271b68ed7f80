import type { WatchedCollection } from '../../../platform/mongo/watchChanges.ts';
import type { FeedEvent } from './readFeed.ts';

/** A listener that receives events as they are published. */
export interface Listener {
  readonly installationId: string;
  readonly parties: readonly string[];
  hear(event: FeedEvent): void;
  /** Reports that no event up to this position was for this listener. */
  mark(position: number): void;
  /** Returns whether a change of this record may affect the identity: its session, its account, or its dealers. */
  isTouchedBy(collection: WatchedCollection, id: string): boolean;
  recheck(): Promise<void>;
}

/** Listeners of a process, indexed by the events that they receive. */
export class Audience {
  readonly #all = new Set<Listener>();
  /** Listeners by installation and party. */
  readonly #hearing = new Map<string, Set<Listener>>();

  add(listener: Listener): void {
    this.#all.add(listener);
    for (const party of listener.parties) {
      const key = keyOf(listener.installationId, party);
      const known = this.#hearing.get(key);
      if (known) known.add(listener);
      else this.#hearing.set(key, new Set([listener]));
    }
  }

  remove(listener: Listener): void {
    this.#all.delete(listener);
    for (const party of listener.parties) {
      const key = keyOf(listener.installationId, party);
      const known = this.#hearing.get(key);
      known?.delete(listener);
      if (known?.size === 0) this.#hearing.delete(key);
    }
  }

  has(listener: Listener): boolean {
    return this.#all.has(listener);
  }

  [Symbol.iterator](): Iterator<Listener> {
    return this.#all.values();
  }

  mark(position: number): void {
    for (const listener of this.#all) listener.mark(position);
  }

  publish(event: FeedEvent): void {
    const { installationId, feed = [] } = event;
    for (const { party } of feed)
      for (const listener of this.#hearing.get(keyOf(installationId, party)) ?? []) listener.hear(event);
  }
}

function keyOf(installationId: string, party: string): string {
  return `${installationId} ${party}`;
}

import type { Platform } from '../../platform/context/Platform.ts';
import { feedOf } from '../../platform/events/EventFeed.ts';
import { EventModel, type EventRecord } from '../../platform/events/model.ts';
import type { RecordChange, WatchedCollection } from '../../platform/mongo/watchChanges.ts';
import { type FeedEvent, feedProjection, toFeedEvent } from './readFeed.ts';

/** Somebody who hears events as they come. */
export interface Listener {
  readonly installationId: string;
  readonly parties: readonly string[];
  hear(event: FeedEvent): void;
  /** Nothing was told to him up to there. */
  mark(position: number): void;
  /** Whoever he is may have changed: by a session, an account, or dealers that he acts for. */
  isTouchedBy(collection: WatchedCollection, id: string): boolean;
  recheck(): Promise<void>;
}

/** Name by which it is woken to try again. */
const readAgain = 'events.read-again';
/** Events that were handed over, of which the stream of changes need not wake anybody; forgotten together. */
const mostHanded = 1000;
/** Events that are read at a time, for all listeners together. */
const pageSize = 500;
/** While nobody tells this process of changes, it looks this often, for events and for who may still listen. */
const lookMs = 1000;
const recheckMs = 5000;
/** Who is asked who he is at the same time. */
const checkedAtOnce = 16;
/** How often listeners to whom nothing is told learn how far that is true. */
const markMs = 5 * 60_000;
const principalCollections = ['sessions', 'users', 'api_clients', 'operators', 'dealers'] as const;

const hubs = new WeakMap<Platform, EventHub>();

/** The hub of this process. */
export function hubOf(platform: Platform): EventHub {
  const known = hubs.get(platform);
  if (known) return known;
  const hub = new EventHub(platform);
  hubs.set(platform, hub);
  platform.buffers.set('events', hub);
  return hub;
}

/**
 * Tells the listeners of this process what is stored in `events`: what a relay of this process stores is handed over as it
 * is, what others store is read once, however many listen, woken by one stream of changes. It rests while nobody listens.
 */
export class EventHub {
  readonly #platform: Platform;
  /** By installation and party. */
  readonly #hearing = new Map<string, Set<Listener>>();
  readonly #listeners = new Set<Listener>();
  /** Those who are to be asked who they are by now. */
  readonly #doubtful = new Set<Listener>();
  #guests = 0;
  #position = 0;
  #starting: Promise<void> | undefined;
  #stops: (() => void)[] = [];
  #reading: Promise<void> | undefined;
  #isChecking = false;
  #isBehind = false;
  readonly #handed = new Set<string>();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Up to where the listeners were told. */
  get position(): number {
    return this.#position;
  }

  /** Called before somebody listens: from then on `position` is true, until he has left. */
  async enter(): Promise<void> {
    this.#guests += 1;
    try {
      await (this.#starting ??= this.#begin());
    } catch (error) {
      this.#rest();
      this.leave();
      throw error;
    }
  }

  /** When the last one has left it rests; what is told meanwhile is read by whoever comes next. */
  leave(): void {
    this.#guests -= 1;
    if (this.#guests === 0) this.#rest();
  }

  add(listener: Listener): void {
    this.#listeners.add(listener);
    for (const party of listener.parties) {
      const key = keyOf(listener.installationId, party);
      const known = this.#hearing.get(key);
      if (known) known.add(listener);
      else this.#hearing.set(key, new Set([listener]));
    }
  }

  remove(listener: Listener): void {
    this.#listeners.delete(listener);
    this.#doubtful.delete(listener);
    for (const party of listener.parties) {
      const key = keyOf(listener.installationId, party);
      const known = this.#hearing.get(key);
      known?.delete(listener);
      if (known?.size === 0) this.#hearing.delete(key);
    }
  }

  async close(): Promise<void> {
    this.#rest();
    await this.#reading;
  }

  #rest(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#starting = undefined;
  }

  async #begin(): Promise<void> {
    const { changes, wakeUps } = this.#platform;
    const look = (): void => void this.#look();
    this.#position = await feedOf(this.#platform).head();
    const looking = setInterval(() => changes.areTold || look(), lookMs).unref();
    const checking = setInterval(() => changes.areTold || this.#doubt(() => true), recheckMs).unref();
    const marking = setInterval(() => this.#mark(), markMs).unref();
    this.#stops.push(
      () => clearInterval(looking),
      () => clearInterval(checking),
      () => clearInterval(marking),
      wakeUps.listen(readAgain, look),
      feedOf(this.#platform).onStored((stored) => this.#take(stored)),
      changes.listen('events', { onChange: ({ id }) => this.#handed.delete(id) || look(), onGap: look }),
      ...principalCollections.map((collection) => this.#watch(collection)),
    );
    // What was stored before anybody listened.
    look();
  }

  #watch(collection: (typeof principalCollections)[number]): () => void {
    const { changes } = this.#platform;
    return changes.listen(collection, {
      onChange: (change) => {
        if (!isMere(collection, change))
          this.#doubt((listener) => listener.isTouchedBy(collection, change.id));
      },
      onGap: () => changes.areTold && this.#doubt(() => true),
    });
  }

  /** A few at a time, however many there are. */
  #doubt(isMeant: (listener: Listener) => boolean): void {
    for (const listener of this.#listeners) if (isMeant(listener)) this.#doubtful.add(listener);
    if (this.#isChecking || this.#doubtful.size === 0) return;
    this.#isChecking = true;
    void this.#recheck().finally(() => (this.#isChecking = false));
  }

  async #recheck(): Promise<void> {
    while (this.#doubtful.size > 0) {
      const some = [...this.#doubtful].slice(0, checkedAtOnce);
      for (const one of some) this.#doubtful.delete(one);
      await Promise.all(some.map((one) => one.recheck()));
    }
  }

  #mark(): void {
    for (const listener of this.#listeners) listener.mark(this.#position);
  }

  /** Needs no reading where nothing is missing before it, and nobody reads at the moment. */
  #take(stored: readonly EventRecord[]): void {
    if (this.#reading || stored[0]?.position !== this.#position + 1) return void this.#look();
    for (const record of stored) {
      this.#position = record.position;
      if (record.feed) this.#tell(toFeedEvent(record));
      if (this.#handed.size === mostHanded) this.#handed.clear();
      this.#handed.add(record._id);
    }
  }

  /** One reading at a time; whoever wakes it meanwhile makes it read once more. */
  #look(): Promise<void> {
    this.#isBehind = true;
    this.#reading ??= this.#read()
      .catch((error: unknown) => {
        this.#platform.log.warn({ err: error }, 'events are read again later');
        this.#platform.wakeUps.wakeLater(readAgain, lookMs);
      })
      .finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<void> {
    while (this.#isBehind && this.#stops.length > 0) {
      this.#isBehind = false;
      const page = await EventModel.find({ position: { $gt: this.#position } }, feedProjection)
        .sort({ position: 1 })
        .limit(pageSize)
        .lean<FeedEvent[]>()
        .exec();
      // Without a pause in between: whoever attaches sees both, or neither.
      for (const event of page) this.#tell(event);
      this.#position = page.at(-1)?.position ?? this.#position;
      if (page.length === pageSize) this.#isBehind = true;
    }
  }

  #tell(event: FeedEvent): void {
    for (const { party } of event.feed ?? [])
      for (const listener of this.#hearing.get(keyOf(event.installationId, party)) ?? [])
        listener.hear(event);
  }
}

function keyOf(installationId: string, party: string): string {
  return `${installationId} ${party}`;
}

/** What every sign-in and refresh writes. */
const unseen: ReadonlySet<string> = new Set(['lastSignInAt', 'lastUsedAt', 'updatedAt', 'version']);
/** Of a dealer: who its members are, and whether it is barred. */
const ofMembers = /^(?:members|state)(?:\.|$)/;

function isMere(collection: WatchedCollection, { operation, members }: RecordChange): boolean {
  if (operation !== 'update') return operation === 'insert';
  return collection === 'dealers'
    ? !members.some((name) => ofMembers.test(name))
    : members.every((name) => unseen.has(name));
}

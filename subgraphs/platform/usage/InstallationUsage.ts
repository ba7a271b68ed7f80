import { dayMs, hourMs } from '../time/durations.ts';
import { otherUsage, type Usage, type UsedOperation, unnamedClient } from './Usage.ts';

/** Maximum numbers of distinct values of one installation in one process. */
export interface UsageLimits {
  /** Names of clients in a day. */
  readonly names: number;
  /** Operations that were unknown at start, in a day. */
  readonly operations: number;
  /** Counts in an hour, and counts that wait to be stored. */
  readonly buckets: number;
}

/** Executions of one operation by one client in one hour, as counted since the last write. */
export interface Bucket {
  readonly hourMs: number;
  readonly client: string;
  readonly operation: string;
  count: number;
  firstMs: number;
  lastMs: number;
}

/** An operation whose coordinates are not stored yet. */
export interface NewOperation {
  readonly operation: string;
  readonly name: string | null;
  readonly coordinates: Set<string>;
}

/** Counts and operations to be stored. */
export interface UsageBatch {
  readonly buckets: readonly Bucket[];
  readonly operations: readonly NewOperation[];
  /** Executions that were counted under `(other)`. */
  readonly overflow: number;
}

/** Usage of one installation: counts since the last write, and the clients and operations of the day. */
export class InstallationUsage {
  readonly #limits: UsageLimits;
  #buckets = new Map<string, Bucket>();
  #newOperations = new Map<string, NewOperation>();
  #overflow = 0;
  #day = -1;
  #names = new Set<string>();
  #unknown = new Set<string>();
  #hour = -1;
  #keysOfHour = new Set<string>();
  /** Operations whose coordinates were noted today, by the name under which they are counted. */
  #noted = new WeakMap<UsedOperation, Set<string>>();

  constructor(limits: UsageLimits) {
    this.#limits = limits;
  }

  count(usage: Usage, nowMs: number): void {
    this.#startDay(Math.floor(nowMs / dayMs));
    const hour = nowMs - (nowMs % hourMs);
    this.#startHour(hour);
    const bucket = this.#findRoom(hour, this.#admitClient(usage), this.#admitOperation(usage), nowMs);
    bucket.count += 1;
    bucket.lastMs = nowMs;
    if (bucket.client === otherUsage || bucket.operation === otherUsage) this.#overflow += 1;
    this.#note(usage.operation, bucket.operation);
  }

  /** Returns what is to be stored, and forgets it. */
  take(): UsageBatch {
    const batch = {
      buckets: [...this.#buckets.values()],
      operations: [...this.#newOperations.values()],
      overflow: this.#overflow,
    };
    this.#buckets = new Map();
    this.#newOperations = new Map();
    this.#overflow = 0;
    return batch;
  }

  /** Adds a batch that could not be stored. */
  putBack({ buckets, operations }: UsageBatch): void {
    for (const { operation, name, coordinates } of operations) this.#noteNew(operation, name, coordinates);
    for (const { hourMs: hour, client, operation, count, firstMs, lastMs } of buckets) {
      const bucket = this.#openBucket(hour, client, operation, firstMs);
      bucket.count += count;
      bucket.firstMs = Math.min(bucket.firstMs, firstMs);
      bucket.lastMs = Math.max(bucket.lastMs, lastMs);
    }
  }

  /** The limits and the noted operations are those of a day, so that the records of used operations do not expire. */
  #startDay(day: number): void {
    if (day === this.#day) return;
    this.#day = day;
    this.#names = new Set();
    this.#unknown = new Set();
    this.#noted = new WeakMap();
  }

  #startHour(hour: number): void {
    if (hour === this.#hour) return;
    this.#hour = hour;
    this.#keysOfHour = new Set();
  }

  #admitClient({ client, isNamed }: Usage): string {
    if (client === undefined) return unnamedClient;
    return !isNamed || admit(this.#names, client, this.#limits.names) ? client : otherUsage;
  }

  #admitOperation({ route, operation, isKnown }: Usage): string {
    if (route !== undefined) return route;
    if (isKnown || admit(this.#unknown, operation.hash, this.#limits.operations)) return operation.hash;
    return otherUsage;
  }

  #note(used: UsedOperation, operation: string): void {
    const noted = this.#noted.get(used);
    if (noted?.has(operation)) return;
    if (noted) noted.add(operation);
    else this.#noted.set(used, new Set([operation]));
    const isOperation = operation === used.hash;
    this.#noteNew(operation, isOperation ? used.name : null, used.coordinates);
  }

  #noteNew(operation: string, name: string | null, coordinates: Iterable<string>): void {
    const known = this.#newOperations.get(operation);
    if (!known) {
      this.#newOperations.set(operation, { operation, name, coordinates: new Set(coordinates) });
      return;
    }
    for (const coordinate of coordinates) known.coordinates.add(coordinate);
  }

  /** Returns the bucket of an execution; that of `(other)` if it would be new and there is no room. */
  #findRoom(hour: number, client: string, operation: string, nowMs: number): Bucket {
    const { buckets: most } = this.#limits;
    const key = keyOf(hour, client, operation);
    const known = this.#buckets.get(key);
    if (known) return known;
    // While the database is unavailable, counts of earlier hours wait too.
    const hasRoom = this.#buckets.size < most && admit(this.#keysOfHour, key, most);
    return hasRoom
      ? this.#openBucket(hour, client, operation, nowMs)
      : this.#openBucket(hour, otherUsage, otherUsage, nowMs);
  }

  #openBucket(hour: number, client: string, operation: string, nowMs: number): Bucket {
    const key = keyOf(hour, client, operation);
    const known = this.#buckets.get(key);
    if (known) return known;
    const created: Bucket = { hourMs: hour, client, operation, count: 0, firstMs: nowMs, lastMs: nowMs };
    this.#buckets.set(key, created);
    return created;
  }
}

function keyOf(hour: number, client: string, operation: string): string {
  return `${hour}\n${client}\n${operation}`;
}

/** Returns whether a set contains a value, or has room for it; it is then added. */
function admit(set: Set<string>, value: string, most: number): boolean {
  if (set.has(value)) return true;
  if (set.size >= most) return false;
  set.add(value);
  return true;
}

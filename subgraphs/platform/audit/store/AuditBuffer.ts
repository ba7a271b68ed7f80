import type { Logger } from 'pino';
import { newId } from '../../ids/newId.ts';
import { scoped } from '../../installation/scoped.ts';
import { AuditEventModel, type AuditEventRecord } from './model.ts';

/** Audit events that no request waits for; stored in batches, half a second late at most. */
export interface AuditBuffer {
  /** Buffers an event immediately, regardless of the state of the database. */
  add(event: AuditEventRecord): void;
  /** Stores the buffered counts; counts that cannot be stored wait for the next run. */
  flush(): Promise<void>;
  /** Stores the buffered events and starts no further timers. */
  close(): Promise<void>;
}

/** Size and flush interval of the buffer. */
export interface AuditBufferOptions {
  log: Logger;
  now: () => number;
  /** Lines that wait at most; 1,000. */
  capacity?: number;
  /** Milliseconds between the first waiting line and its storage; 500. */
  delayMs?: number;
}

/**
 * Opens the buffer of this process. A full buffer counts refusals instead of losing them. Further refusals of the same
 * actor and action add to the `count` of the buffered event, and others to one event of their installation. A process
 * that is killed loses its buffer.
 */
export function openAuditBuffer({
  log,
  now,
  capacity = 1000,
  delayMs = 500,
}: AuditBufferOptions): AuditBuffer {
  const queue = new AuditQueue(capacity, now);
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const schedule = (): void => {
    timer ??= setTimeout(() => void flush(), delayMs).unref();
  };
  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    for (const [installationId, events] of Map.groupBy(queue.takeAll(), (event) => event.installationId)) {
      try {
        await scoped(AuditEventModel, installationId).insertAbsent(events);
      } catch (error) {
        log.error({ err: error, installationId, lines: events.length }, 'audit waits for the database');
        for (const event of events) queue.add(event);
        schedule();
      }
    }
  };
  const flush = (): Promise<void> => (writing = writing.then(write));
  return {
    add(event) {
      queue.add(event);
      schedule();
    },
    flush,
    async close() {
      await flush();
      clearTimeout(timer);
      if (queue.length > 0) log.error({ lines: queue.length }, 'audit lines are lost');
    },
  };
}

/** Lines that wait, never more than the capacity and one per installation. */
class AuditQueue {
  readonly #capacity: number;
  readonly #now: () => number;
  #waiting: AuditEventRecord[] = [];
  /** Latest buffered event by actor and action, and the event that counts refusals without space. */
  #newest = new Map<string, AuditEventRecord>();

  constructor(capacity: number, now: () => number) {
    this.#capacity = capacity;
    this.#now = now;
  }

  get length(): number {
    return this.#waiting.length;
  }

  add(event: AuditEventRecord): void {
    const key = keyOf(event);
    if (this.#waiting.length < this.#capacity) return this.#append(key, event);
    const overflowKey = `${event.installationId} overflow`;
    const merged = this.#newest.get(key) ?? this.#newest.get(overflowKey);
    if (merged) merged.count += event.count;
    else this.#append(overflowKey, overflowOf(event, this.#now()));
  }

  takeAll(): readonly AuditEventRecord[] {
    const taken = this.#waiting;
    this.#waiting = [];
    this.#newest = new Map();
    return taken;
  }

  #append(key: string, event: AuditEventRecord): void {
    this.#waiting.push(event);
    this.#newest.set(key, event);
  }
}

function keyOf({ installationId, actor, action }: AuditEventRecord): string {
  return `${installationId} ${actor.id} ${action}`;
}

/** Returns the event that counts refusals without space in the buffer. */
function overflowOf({ installationId, result, count }: AuditEventRecord, nowMs: number): AuditEventRecord {
  return {
    _id: newId('auditEvent'),
    installationId,
    actor: { type: 'system', id: 'audit' },
    onBehalfOf: null,
    action: 'auditOverflow',
    target: null,
    result,
    reason: 'Too many events of this kind at once. They are counted instead of stored one by one.',
    requestId: null,
    ipPrefix: null,
    at: new Date(nowMs),
    count,
  };
}

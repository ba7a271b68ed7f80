import type {
  DomainEvent,
  LanguagesContent,
  ObjectContent,
  TranslationContent,
} from '../../../schema/events.ts';
import type { ScopedRecord } from '../installation/scoped.ts';
import type { FeedEntry, ToldEvent } from './model.ts';
import type { OutboxEntry } from './outbox.ts';

/** Content of a record for its events. */
export interface EventSubject {
  object: DomainEvent['object'];
  /** Version of the record. */
  contentVersion: number;
  /** Null if events contain only their entries, or if no content of the record may be published. */
  content: ObjectContent | TranslationContent | LanguagesContent | null;
  /** Returns the data of an entry in the feeds of its parties; absent if it is in no feed. */
  feedOf?(entry: Pick<OutboxEntry, 'type' | 'data'>): readonly FeedEntry[];
}

/** A record with something to tell. */
export type Waiting = ScopedRecord & { outbox: OutboxEntry[] };

/** Payload of the record. */
export interface Told {
  record: Waiting;
  /** The record itself, or the objects that a note is about. */
  subjects: EventSubject[];
}

/** Maximum number of characters of events that are stored together. A batch of long ones is stored in several steps. */
const mostCharacters = 2_000_000;

/** Splits records into groups whose entries are removed together. */
export function chunksOf(told: readonly Told[]): Generator<Told[]> {
  return limited(told, ({ record, subjects }) => charactersOf(subjects) * record.outbox.length);
}

/**
 * Builds the events of some records. A note has one event for each of its objects.
 *
 * @returns lists of events, each with an id that is derived from its entry
 */
export function* toEvents(
  told: readonly Told[],
  { isOfNotes }: { isOfNotes: boolean },
): Generator<ToldEvent[]> {
  const single = told.flatMap(({ record, subjects }) => subjects.map((subject) => ({ record, subject })));
  const slices = limited(single, ({ record, subject }) => charactersOf([subject]) * record.outbox.length);
  for (const slice of slices)
    yield slice.flatMap(({ record, subject }) =>
      eventsOf(record, subject, isOfNotes ? subject.object.id : record._id),
    );
}

function eventsOf(record: Waiting, subject: EventSubject, key: string): ToldEvent[] {
  return record.outbox.map(({ id, at, type, data }) => {
    const feed = subject.feedOf?.({ type, ...(data && { data }) }) ?? [];
    return {
      id: `${id}:${key}`,
      at,
      type,
      installationId: record.installationId,
      object: subject.object,
      contentVersion: subject.contentVersion,
      payload: type === 'object.deleted' ? null : (data ?? subject.content),
      ...(feed.length > 0 && { feed }),
    };
  }) as ToldEvent[];
}

/** Yields parts of a list with at most the maximum number of characters, or one longer element. */
function* limited<T>(all: readonly T[], charactersIn: (one: T) => number): Generator<T[]> {
  let part: T[] = [];
  let characters = 0;
  for (const one of all) {
    const size = charactersIn(one);
    if (part.length > 0 && characters + size > mostCharacters) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(one);
    characters += size;
  }
  if (part.length > 0) yield part;
}

/** Counts the characters of the texts. */
function charactersOf(subjects: readonly EventSubject[]): number {
  return subjects.reduce((sum, { content }) => sum + lengthOf(content), 0);
}

function lengthOf(content: EventSubject['content']): number {
  if (content === null) return 0;
  if ('html' in content) return content.html.length;
  if (!('texts' in content)) return 0;
  return Object.values(content.texts ?? {}).reduce((sum, text) => sum + text.length, 0);
}

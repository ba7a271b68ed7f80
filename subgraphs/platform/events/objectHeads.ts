import { type Model, Schema } from 'mongoose';
import type { EventObjectType, ObjectChanged, ObjectContent, ObjectDeleted } from '../../../schema/events.ts';
import type { ContentDigest } from '../content/digestOf.ts';
import { type ScopedCollection, type ScopedRecord, scoped } from '../installation/scoped.ts';
import type { Job } from '../jobs/Job.ts';
import { defineModel } from '../mongo/defineModel.ts';
import { consume } from './consume.ts';

/**
 * Copy of another subgraph's object, from its events. It can lag behind, so it is used only for public reads, lists and
 * digests. Writes, and reads of private content, query the owner.
 */
export interface ObjectHead
  extends ScopedRecord,
    Omit<ObjectContent, 'html' | 'contentDigest' | 'fieldDigests'> {
  objectType: EventObjectType;
  objectId: string;
  contentDigest: ContentDigest | null;
  contentVersion: number;
  /** Whether the object is deleted. Its content is removed, and no older event restores it. */
  deleted: boolean;
  updatedAt: Date;
}

/** Returns the id of a head, as in `listing:lst_…`. */
export function headIdOf(type: EventObjectType, id: string): string {
  return `${type}:${id}`;
}

const text = { type: String, default: null } as const;

/**
 * Returns the model of a subgraph's own heads.
 *
 * @param collection as in `translation_object_heads`; every subgraph keeps its own
 */
export function defineHeads(collection: string): Model<ObjectHead> {
  return defineModel<ObjectHead>(
    collection,
    new Schema<ObjectHead>({
      _id: String,
      objectType: { type: String, required: true },
      objectId: { type: String, required: true },
      ownerId: text,
      languageTag: text,
      visibility: { type: String, required: true },
      url: text,
      slug: text,
      title: { type: String, default: '' },
      contentDigest: { type: Schema.Types.Mixed, default: null },
      contentVersion: { type: Number, required: true },
      deleted: { type: Boolean, required: true },
      updatedAt: { type: Date, required: true },
    }).index({ installationId: 1, objectType: 1, _id: 1 }),
  );
}

type ObjectEvent = ObjectChanged | ObjectDeleted;

/** Returns the job that maintains a subgraph's heads. */
export function keepHeads(subgraph: string, model: Model<ObjectHead>): Job {
  return consume<ObjectEvent>({
    name: `${subgraph}.object-heads`,
    types: [
      'object.created',
      'object.updated',
      'object.published',
      'object.unpublished',
      'object.owner_changed',
      'object.deleted',
    ],
    async handle(events) {
      for (const [installationId, own] of Map.groupBy(events, (event) => event.installationId)) {
        // The last of several events of an object contains its complete state.
        const latest = new Map(own.map((event) => [headIdOf(event.object.type, event.object.id), event]));
        const heads = scoped(model, installationId);
        const known = await insertNew(heads, own, latest);
        // A stored newer head does not match the filter, and its id is taken, so the write has no effect.
        if (known.length > 0)
          await heads.upsertEach(
            known.map(([_id, event]) => ({
              _id,
              filter: { contentVersion: { $lte: event.contentVersion } },
              update: { $set: toHead(event) },
            })),
          );
      }
    },
  });
}

/**
 * Stores heads of new objects, because inserting many is much cheaper than looking up each. Returns the other events.
 */
async function insertNew(
  heads: ScopedCollection<ObjectHead>,
  events: readonly ObjectEvent[],
  latest: ReadonlyMap<string, ObjectEvent>,
): Promise<[string, ObjectEvent][]> {
  const made = events.filter(({ type }) => type === 'object.created');
  const ids = new Set(made.map(({ object }) => headIdOf(object.type, object.id)));
  const [others, fresh] = [
    [...latest].filter(([_id]) => !ids.has(_id)),
    [...latest].filter(([_id]) => ids.has(_id)),
  ];
  if (fresh.length === 0) return others;
  const refused = await heads.insertAbsent(fresh.map(([_id, event]) => ({ _id, ...toHead(event) })));
  return [...others, ...fresh.filter((_, index) => refused.has(index))];
}

const unknown: Omit<ObjectContent, 'html' | 'contentDigest' | 'fieldDigests'> = {
  ownerId: null,
  languageTag: null,
  visibility: 'PRIVATE',
  url: null,
  slug: null,
  title: '',
};

function toHead({
  object,
  contentVersion,
  payload,
  at,
}: ObjectEvent): Omit<ObjectHead, '_id' | 'installationId'> {
  const base = { objectType: object.type, objectId: object.id, contentVersion, updatedAt: at };
  if (!payload) return { ...base, ...unknown, contentDigest: null, deleted: true };
  // Listed explicitly, so that other members of payloads are not stored.
  const { ownerId, languageTag, visibility, url, slug, title, contentDigest: digest, fieldDigests } = payload;
  const known = { ownerId, languageTag, visibility, url, slug, title };
  return { ...base, ...known, contentDigest: { digest, fieldDigests }, deleted: false };
}

import DataLoader from 'dataloader';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { defineHeads, headIdOf, keepHeads, type ObjectHead } from '../../platform/events/objectHeads.ts';
import type { OwnedRecord } from '../../platform/federation/askOwner.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { type ObjectRef, objectKeyOf } from './ObjectRef.ts';

/** Heads of objects that other subgraphs own. */
export const ObjectHeadModel = defineHeads('translation_object_heads');

export const objectHeadsJob = keepHeads('translation', ObjectHeadModel);

/**
 * Returns an object as every reader sees it, from events of its owner. It is batched and needs no query to the owner,
 * so it also serves anonymous callers. Non-public objects are treated as missing. It has no texts, which only the owner
 * shows.
 */
export function loadPublicHead(context: RequestContext, ref: ObjectRef): Promise<OwnedRecord> {
  return context.loader(publicHeads).load(ref);
}

/** Caches a head that was read elsewhere, for the rest of the request; null if it is not public. */
export function rememberHead(
  context: RequestContext,
  ref: ObjectRef,
  head: PublicHead & Pick<ObjectHead, 'visibility'>,
): OwnedRecord | null {
  if (head.visibility !== 'PUBLIC') return null;
  const owned = toOwned(ref.id, head);
  context.loader(publicHeads).prime(ref, owned);
  return owned;
}

/** Projection of a head. */
export const shown = { languageTag: 1, url: 1, slug: 1, title: 1, contentVersion: 1 } as const;

function publicHeads(context: RequestContext): DataLoader<ObjectRef, OwnedRecord, string> {
  return new DataLoader(
    async (refs) => {
      const heads = await scoped(ObjectHeadModel, context.installationId).find(
        { _id: { $in: refs.map(({ type, id }) => headIdOf(type, id)) }, visibility: 'PUBLIC' },
        { projection: shown },
      );
      const byId = new Map(heads.map((head) => [head._id, head]));
      return refs.map(({ type, id }) => toOwned(id, byId.get(headIdOf(type, id))));
    },
    { maxBatchSize: 1000, cacheKeyFn: objectKeyOf },
  );
}

/**
 * Returns an object with its owner, also if it is not public, for a subgraph that queries the owner itself. Batched. An
 * object without events has no owner and is not public.
 */
export function loadKnownHead(context: RequestContext, ref: ObjectRef): Promise<OwnedRecord> {
  return context.loader(knownHeads).load(ref);
}

function knownHeads(context: RequestContext): DataLoader<ObjectRef, OwnedRecord, string> {
  return new DataLoader(
    async (refs) => {
      const heads = await scoped(ObjectHeadModel, context.installationId).find(
        { _id: { $in: refs.map(({ type, id }) => headIdOf(type, id)) }, deleted: false },
        { projection: { ...shown, ownerId: 1, visibility: 1 } },
      );
      const byId = new Map(heads.map((head) => [head._id, head]));
      return refs.map(({ type, id }) => toKnown(context, id, byId.get(headIdOf(type, id))));
    },
    { maxBatchSize: 1000, cacheKeyFn: objectKeyOf },
  );
}

/** Members of a head that `shown` selects. */
export type PublicHead = Pick<ObjectHead, keyof typeof shown>;

type KnownHead = PublicHead & Pick<ObjectHead, 'ownerId' | 'visibility'>;

function toKnown({ viewerOrNull }: RequestContext, id: string, head: KnownHead | undefined): OwnedRecord {
  const owned = toOwned(id, head);
  if (!head?.ownerId || !owned.content) return owned;
  const { ownerId, visibility } = head;
  const isOwn = viewerOrNull?.id === ownerId || viewerOrNull?.membershipOf(ownerId) !== undefined;
  return { ...owned, ownerId, viewerCanEdit: isOwn, content: { ...owned.content, visibility } };
}

function toOwned(id: string, head: PublicHead | undefined): OwnedRecord {
  return {
    id,
    exists: head !== undefined,
    ownerId: null,
    viewerCanRead: head !== undefined,
    viewerCanEdit: false,
    viewerOnlyReads: false,
    contentVersion: head?.contentVersion ?? null,
    content: head
      ? {
          languageTag: head.languageTag,
          visibility: 'PUBLIC',
          url: head.url,
          slug: head.slug,
          title: head.title,
          html: '',
          fields: {},
        }
      : null,
  };
}

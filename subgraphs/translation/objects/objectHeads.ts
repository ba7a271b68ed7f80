import DataLoader from 'dataloader';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { defineHeads, headIdOf, keepHeads, type ObjectHead } from '../../platform/events/objectHeads.ts';
import type { OwnedRecord } from '../../platform/federation/askOwner.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { type ObjectRef, objectKeyOf } from './ObjectRef.ts';

/** What this subgraph knows of objects that it does not own. */
export const ObjectHeadModel = defineHeads('translation_object_heads');

export const objectHeadsJob = keepHeads('translation', ObjectHeadModel);

/**
 * An object as every reader sees it, from events of its owner: batched, and without a question to the owner, so it
 * also answers anonymous callers. What is not public does not exist. It has no texts: those are the owner's to show.
 */
export function loadPublicHead(context: RequestContext, ref: ObjectRef): Promise<OwnedRecord> {
  return context.loader(publicHeads).load(ref);
}

/** A head that was read in the course of something else, for the rest of the request; null where it is not public. */
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

/** What of a head is shown. */
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
 * An object as this subgraph knows it, also if it is not public, and its owner: for a subgraph whose own question to
 * the owner decides. Batched; an object without events has no owner and is not public.
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

/** What `shown` reads. */
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

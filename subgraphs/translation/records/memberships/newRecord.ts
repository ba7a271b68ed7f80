import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { type StoredTranslation, slotKeyOf } from '../model.ts';
import type { TranslatableObject } from '../TranslatableObject.ts';

/** Returns the members of an empty record without a group. */
export function newRecord({ id, by, now }: { id: string; by: string; now: Date }) {
  return {
    _id: id,
    groupId: null,
    slotKey: slotKeyOf(id, null, ''),
    isSource: false,
    publishedAt: null,
    derivedFrom: null,
    contentDigest: null,
    outdated: false,
    outdatedSince: null,
    flaggedOutdated: false,
    assigneeId: null,
    note: null,
    dueAt: null,
    objectGoneAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    createdBy: by,
    updatedBy: by,
    fields: {},
    publishedFields: null,
    history: [],
  } as const satisfies Partial<StoredTranslation>;
}

/**
 * Returns the first record of a marketplace object. It is approved, because its own subgraph decides what readers see.
 */
export function firstRecord(
  { installationId, viewer, platform }: RequestContext,
  { ref, key, marketplaceObject, owned }: TranslatableObject,
  language: string,
): StoredTranslation {
  const now = new Date(platform.now());
  return {
    ...newRecord({ id: newId('translation'), by: viewer.id, now }),
    installationId,
    objectType: ref.type,
    objectId: ref.id,
    objectKey: key,
    subjectId: marketplaceObject.id,
    ownerId: owned.ownerId,
    language,
    origin: 'linked',
    status: 'published',
    liveSince: now,
  };
}

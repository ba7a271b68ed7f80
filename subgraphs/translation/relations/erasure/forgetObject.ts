import type { ObjectRef } from '../../objects/ObjectRef.ts';
import { executeChange, type WriteContext } from '../../records/memberships/changeMemberships.ts';
import type { Decision, Memberships } from '../../records/memberships/memberships.ts';
import type { StoredTranslation } from '../../records/model.ts';

/** Erases the translations of an object. Its slots become free, and the other members of its groups stay together. */
export async function forgetObject(
  context: WriteContext,
  { type, id }: ObjectRef,
  defaultCode: string,
): Promise<void> {
  await executeChange(context, {
    records: { subjectId: id, objectType: type, $or: [{ objectGoneAt: null }, { groupId: { $ne: null } }] },
    defaultCode,
    decide: (state) => decideErasure(state, new Date(context.platform.now())),
  });
}

/** Decides the erasure of all objects that were read. */
export function decideErasure({ records }: Memberships, now: Date): Decision {
  return {
    placements: [...records.values()].map((record) => ({
      record,
      groupId: null,
      set: { ...nothingSaid, objectGoneAt: record.objectGoneAt ?? now },
    })),
  };
}

/** The remaining record states that there was a translation, and its language. */
const nothingSaid = {
  status: 'archived',
  liveSince: null,
  publishedAt: null,
  derivedFrom: null,
  contentDigest: null,
  assigneeId: null,
  note: null,
  dueAt: null,
  fields: {},
  publishedFields: null,
  history: [],
} as const satisfies Partial<StoredTranslation>;

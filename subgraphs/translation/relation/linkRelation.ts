import type { LinkRelationInput } from '../../../schema/translation.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { LocatedObject } from '../translatable/LocatedObject.ts';
import { fromRecord, type TranslationParent } from '../translation/TranslationParent.ts';
import { forgetMemberships } from './forgetMemberships.ts';
import { inRelationTransaction } from './inRelationTransaction.ts';
import { link } from './link.ts';
import { planLink } from './planLink.ts';
import { type RelationGroupParent, withRecords } from './RelationGroupParent.ts';

/** Links an object that exists to a group; tells whether anything had to be done for it. */
export async function linkRelation(
  context: RequestContext,
  input: LinkRelationInput,
): Promise<{ created: boolean; group: RelationGroupParent; detached: TranslationParent[] }> {
  const plan = await planLink(context, input);
  const now = new Date(context.platform.now());
  const { object, anchor, groupId } = plan;
  const { created, detached, group, members } = await inRelationTransaction(
    (session, isFirst) => link({ context, session, now }, plan, isFirst),
    [groupId, ...namesOf(object), ...(anchor ? namesOf(anchor.object) : [])],
  );
  forgetMemberships(context, members);
  return {
    created,
    group: await withRecords(context, group, members),
    detached: detached.map((record) => fromRecord(record)),
  };
}

/** An object, and the group that it was in a moment ago. */
function namesOf({ key, record }: LocatedObject): (string | null)[] {
  return [key, record?.groupId ?? null];
}

import type { LinkRelationInput } from '../../../schema/translation.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { findObject, type LocatedObject } from '../translatable/LocatedObject.ts';
import { fromRecord, type TranslationParent } from '../translation/TranslationParent.ts';
import { forgetMemberships } from './forgetMemberships.ts';
import { inRelationTransaction } from './inRelationTransaction.ts';
import { link } from './link.ts';
import { planLink } from './planLink.ts';
import { groupOf, type RelationGroupParent } from './RelationGroupParent.ts';

/** Links an object that exists to a group; tells whether anything had to be done for it. */
export async function linkRelation(
  context: RequestContext,
  input: LinkRelationInput,
): Promise<{ created: boolean; group: RelationGroupParent; detached: TranslationParent[] }> {
  const plan = await planLink(context, input);
  const now = new Date(context.platform.now());
  const { created, detached } = await inRelationTransaction((session) =>
    link({ context, session, now }, plan),
  );
  forgetMemberships(context);
  const linked = (await findObject(context, plan.object.ref)) as LocatedObject;
  return {
    created,
    group: await groupOf(context, linked),
    detached: detached.map((record) => fromRecord(record)),
  };
}

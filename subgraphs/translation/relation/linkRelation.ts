import type { LinkRelationInput } from '../../../schema/translation.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
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
  let isFirst = true;
  const { created, detached, group, members } = await inRelationTransaction((session) => {
    const outcome = link({ context, session, now }, plan, isFirst);
    isFirst = false;
    return outcome;
  });
  forgetMemberships(context, members);
  return {
    created,
    group: await withRecords(context, group, members),
    detached: detached.map((record) => fromRecord(record)),
  };
}

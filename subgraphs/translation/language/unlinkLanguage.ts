import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { forgetMemberships } from '../relation/forgetMemberships.ts';
import { raiseGroups } from '../relation/groupWrites.ts';
import { inRelationTransaction } from '../relation/inRelationTransaction.ts';
import { endsWith, placeRest } from '../relation/leaveGroup.ts';
import { type MembershipWrite, readByKeys, readMembers } from '../relation/membershipWrites.ts';
import { headProjection, TranslationModel } from '../translation/model.ts';

/** Memberships that one request ends; whoever has more asks again. */
const mostMemberships = 200;

/**
 * Ends the memberships of every text of a language, each in a transaction of its own, so that a request that is cut off
 * is simply made again. The texts, their status and their objects stay as they are.
 */
export async function unlinkLanguage(
  context: RequestContext,
  code: string,
  defaultCode: string,
): Promise<void> {
  const members = await scoped(TranslationModel, context.installationId).find(
    { language: code, groupId: { $ne: null } },
    { projection: headProjection, sort: { updatedAt: 1, _id: 1 }, limit: mostMemberships },
  );
  for (const { objectKey } of members) {
    const now = new Date(context.platform.now());
    await inRelationTransaction((session) => leave({ context, session, now }, objectKey, code, defaultCode));
  }
  forgetMemberships(context);
}

async function leave(
  write: MembershipWrite,
  objectKey: string,
  language: string,
  defaultCode: string,
): Promise<void> {
  const record = (await readByKeys(write, [objectKey])).get(objectKey);
  const groupId = record?.groupId ?? null;
  if (!record || groupId === null || record.language !== language) return;
  const members = await readMembers(write, groupId);
  const rest = members.filter(({ _id }) => _id !== record._id);
  await raiseGroups(write, [{ id: groupId, concerned: [...rest, record], closes: endsWith(rest) }]);
  const moves = [{ record, place: { groupId: null, language, isSource: false } }];
  await placeRest(write, groupId, { rest, moves }, defaultCode);
}

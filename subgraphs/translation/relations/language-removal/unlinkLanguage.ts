import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { changeMemberships, ofObjects } from '../../records/memberships/changeMemberships.ts';
import { headProjection, TranslationModel } from '../../records/model.ts';

/** Memberships that one request ends; a client with more repeats the request. */
const mostMemberships = 200;

/**
 * Ends the memberships of every text of a language, each in a separate transaction, so that an interrupted request can
 * be repeated. Texts, status and objects are unchanged.
 */
export async function unlinkLanguage(
  context: RequestContext,
  code: string,
  defaultCode: string,
): Promise<void> {
  const members = await reads(TranslationModel, context.installationId).find(
    { language: code, groupId: { $ne: null } },
    { projection: headProjection, sort: { updatedAt: 1, _id: 1 }, limit: mostMemberships },
  );
  for (const { objectKey, groupId } of members)
    await changeMemberships(context, {
      records: ofObjects(objectKey),
      queue: [objectKey, groupId],
      defaultCode,
      decide({ records }) {
        const record = records.get(objectKey);
        if (!record || record.groupId === null || record.language !== code) return null;
        return { placements: [{ record, groupId: null }] };
      },
    });
}

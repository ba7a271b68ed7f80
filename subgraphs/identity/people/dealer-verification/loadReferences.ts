import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { type MediaReference, mediaLoader } from '../../media/mediaLoader.ts';
import type { DealerRecord } from '../dealer/model.ts';
import type { VerificationContent } from '../dealer/verification.ts';
import type { VerificationReferences } from './checkVerification.ts';
import { dayOf } from './day.ts';

/** The records that a draft names, and today. One command for all documents. */
export async function loadReferences(
  context: RequestContext,
  { _id: dealerId, country }: Pick<DealerRecord, '_id' | 'country'>,
  { documents }: VerificationContent,
): Promise<VerificationReferences> {
  const loader = context.loader(mediaLoader);
  const ids = [...new Set(documents.map(({ mediaId }) => mediaId))];
  const files = await Promise.all(
    ids.map(async (id): Promise<[string, MediaReference | null]> => [id, await loader.load(id)]),
  );
  return { dealerId, country, media: new Map(files), today: dayOf(new Date(context.platform.now())) };
}

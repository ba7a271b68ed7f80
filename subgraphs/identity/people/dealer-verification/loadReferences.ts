import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { type MediaReference, mediaLoader } from '../../media/mediaLoader.ts';
import type { DealerRecord } from '../dealer/model.ts';
import type { VerificationContent } from '../dealer/verification.ts';
import type { VerificationReferences } from './checkVerification.ts';
import { dayOf } from './day.ts';

/** Loads the records that a draft refers to, and the current day. All documents are one command. */
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

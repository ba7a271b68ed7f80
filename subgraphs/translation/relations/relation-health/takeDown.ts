import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { TranslationHead } from '../../records/model.ts';
import { updateRecord } from '../../records/updateRecord.ts';

/** Unpublishes a translation without texts: it waits for approval again. */
export async function takeDown(
  context: RequestContext,
  { _id, version, status }: TranslationHead,
): Promise<void> {
  const to = status === 'published' ? 'needs_review' : status;
  const note = 'The translation had no published texts.';
  const step = { at: new Date(context.platform.now()), by: context.viewer.id, from: status, to, note };
  const set = { status: to, liveSince: null };
  await updateRecord(context, { _id, version, publishedFields: null }, { set, step });
}

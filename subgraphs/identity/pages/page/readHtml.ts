import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { PageRecord } from './model.ts';
import { loadText } from './pageLoader.ts';

/** UTF-8 bytes of the texts in one answer: a list of a hundred pages may not weigh fifty megabytes. */
const mostBytes = 4 * 1024 * 1024;

/**
 * The text of a page, for an answer.
 *
 * @throws AppError `payload_too_large` for what is beyond the bytes of an answer; its neighbours are answered
 */
export async function readHtml(page: PageRecord, context: RequestContext): Promise<string> {
  const answer = context.loader(countBytes);
  answer.bytes += page.htmlBytes;
  if (answer.bytes > mostBytes)
    throw new AppError(
      'payload_too_large',
      'The texts of the requested pages are too large together. Request fewer pages.',
    );
  return loadText(context, page);
}

function countBytes(): { bytes: number } {
  return { bytes: 0 };
}

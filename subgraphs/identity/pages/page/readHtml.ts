import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { PageRecord } from './model.ts';
import { loadText } from './pageLoader.ts';

/** Maximum size of all texts in one response, in UTF-8 bytes. Without it, a hundred pages could add up to 50 MB. */
const mostBytes = 4 * 1024 * 1024;

/**
 * Returns the text of a page for a response.
 *
 * @throws AppError `payload_too_large` if it exceeds the remaining bytes of the response; other pages are still
 *   returned
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

import { request } from 'undici';
import { forwardHeaders } from '../context/forwardHeaders.ts';
import { AppError } from '../errors/AppError.ts';
import { type AskOwner, askOwnerDocument } from './askOwner.ts';

const timeoutMs = 4000;

/**
 * Asks an owning subgraph of another process.
 *
 * @param url address of the owning subgraph
 * @throws AppError `unavailable` when it is down, slow or does not make sense: nothing is written without its word
 */
export function askOverHttp(url: string): AskOwner {
  return async (variables, context) => {
    try {
      const { body } = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...forwardHeaders(context.descend()) },
        body: JSON.stringify({ query: askOwnerDocument, variables }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { data } = (await body.json()) as { data?: Awaited<ReturnType<AskOwner>> };
      if (Array.isArray(data?._entities)) return data;
    } catch (error) {
      context.platform.log.warn(
        { err: error, requestId: context.requestId },
        'owning subgraph did not answer',
      );
    }
    throw new AppError(
      'unavailable',
      'The owner of this record cannot be asked right now; try again shortly.',
      { retryAfter: 5 },
    );
  };
}

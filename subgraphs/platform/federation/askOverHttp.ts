import { request } from 'undici';
import { forwardHeaders } from '../context/forwardHeaders.ts';
import { AppError } from '../errors/AppError.ts';
import type { Ask } from './askLocally.ts';
import { askOwnerDocument } from './askOwner.ts';

const timeoutMs = 4000;

/**
 * Asks an owning subgraph of another process.
 *
 * @param url address of the owning subgraph
 * @param source the operation; default: the one of `AskOwner`
 * @throws AppError `unavailable` when it is down, slow or does not make sense: nothing is written without its word
 */
export function askOverHttp(url: string, source: string = askOwnerDocument): Ask {
  return async (variables, context) => {
    try {
      const { body } = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...forwardHeaders(context.descend()) },
        body: JSON.stringify({ query: source, variables }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { data } = (await body.json()) as { data?: Awaited<ReturnType<Ask>> };
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

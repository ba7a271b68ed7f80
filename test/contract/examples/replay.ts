import type { RecordedCall } from '../../../schema/openapi/RecordedCall.ts';
import { targetOf, type ValidRequest } from '../../authorization/matrix/validCalls.ts';
import type { HttpRequest } from '../../support/stack/openHttpClient.ts';
import { outlineOf } from './imagined.ts';

/**
 * The request of an example, in which ids, times, addresses and secrets of the world replace the imagined ones.
 *
 * @param valid a valid call in this world with the same members
 */
export function replay(example: RecordedCall, { call, request, route }: ValidRequest): HttpRequest {
  const { path, query, headers, body } = refill(
    { path: example.path, query: example.query, headers: example.headers, body: example.body },
    {
      path: call.path ?? {},
      query: call.query ?? {},
      headers: Object.fromEntries(request.headers ?? []),
      body: request.body,
    },
  ) as Pick<RecordedCall, 'path' | 'query' | 'headers' | 'body'>;
  const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
  return {
    method: route.method,
    path: `${targetOf(route.path, path)}${search}`,
    token: request.token,
    headers: Object.entries(headers),
    ...(body === undefined ? {} : { body: body as object }),
  };
}

/** Replaces the imagined texts of the example by those of `known`. */
function refill(example: unknown, known: unknown): unknown {
  if (typeof example === 'string')
    return typeof known === 'string' && outlineOf(example) === outlineOf(known) ? known : example;
  if (Array.isArray(example))
    return example.map((entry, index) => refill(entry, Array.isArray(known) ? known[index] : undefined));
  if (example === null || typeof example !== 'object') return example;
  const byOutline = new Map(
    Object.entries(known ?? {}).map(([name, member]) => [outlineOf(name), [name, member]]),
  );
  return Object.fromEntries(
    Object.entries(example).map(([name, member]) => {
      const [real = name, value] = byOutline.get(outlineOf(name)) ?? [];
      return [real, refill(member, value)];
    }),
  );
}

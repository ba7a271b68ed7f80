import { type GraphqlError, graphqlRequest, toError } from '../graphql/createGraphql.ts';
import { type AnyDocument, textOf } from '../graphql/TypedDocument.ts';
import type { components } from '../rest/paths.generated.ts';
import { type FollowOptions, type FollowSource, follow } from './follow.ts';

/** An event of the caller's feed. */
export type FeedEvent = components['schemas']['Event'];

export interface EventsOptions extends FollowOptions {
  /** `cursor` of an event, or `meta.resumeCursor` of a page: later events are delivered first. */
  after?: string;
}

/**
 * Streams the caller's feed.
 *
 * @throws ProblemError during the iteration; `events_expired` if `after` is too old
 */
export async function* feed(
  source: Omit<FollowSource, 'request'>,
  url: string,
  { after = '', ...options }: EventsOptions = {},
): AsyncGenerator<FeedEvent, void, undefined> {
  let last = after;
  const request = (signal: AbortSignal) => {
    const headers = { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) };
    return new Request(url, { headers, signal });
  };
  for await (const { id, data } of follow({ ...source, request }, options)) {
    last = id;
    if (data !== '') yield JSON.parse(data) as FeedEvent;
  }
}

/** Variables with which a subscription continues after a lost connection. */
export type Resume<Result, Variables> = (last: Result) => Partial<Variables>;

/**
 * Iterates over the results of a GraphQL subscription.
 *
 * @param resume without it a new connection starts from the beginning
 * @throws ProblemError during the iteration
 */
export async function* subscription<Result, Variables>(
  source: Omit<FollowSource, 'request'>,
  url: string,
  document: AnyDocument<Result, Variables>,
  first: Variables,
  { resume, ...options }: FollowOptions & { resume?: Resume<Result, Variables> } = {},
): AsyncGenerator<Result, void, undefined> {
  const query = textOf(document);
  let variables = first;
  const request = (signal: AbortSignal) =>
    graphqlRequest(url, JSON.stringify({ query, variables }), signal, 'text/event-stream');
  for await (const { type, data } of follow({ ...source, request }, options)) {
    if (type !== 'next') continue;
    const result = JSON.parse(data) as { data?: Result | null; errors?: GraphqlError[] };
    const [error] = result.errors ?? [];
    if (error) throw toError(error, result.errors, result.data);
    if (!result.data) continue;
    if (resume) variables = { ...variables, ...resume(result.data) };
    yield result.data;
  }
}

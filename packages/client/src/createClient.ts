import {
  type EventsOptions,
  type FeedEvent,
  feed,
  type Resume,
  subscription,
} from './events/createEvents.ts';
import type { FollowOptions } from './events/follow.ts';
import { createGraphql, type Graphql, type GraphqlOptions } from './graphql/createGraphql.ts';
import { type Connection, eachNode } from './graphql/eachNode.ts';
import type { AnyDocument } from './graphql/TypedDocument.ts';
import { toProblem } from './ProblemError.ts';
import { createRest, type Rest } from './rest/createRest.ts';
import { type EntryOf, eachOf, type ListOptions, type ListParameters, type ListPath } from './rest/eachOf.ts';
import { type Grant, Session, type TokenSet } from './session/Session.ts';
import { memoryStorage, type TokenStorage } from './session/TokenStorage.ts';
import { createSend } from './transport/createSend.ts';
import { defaultRetry, type RetryOptions } from './transport/retry.ts';

/** Options of a client. */
export interface ClientOptions {
  /** Scheme, host and port of the installation; in a browser the page's own when left out. */
  baseUrl?: string;
  /** Path of interfaces B and C, if the deployment has changed it. */
  restRoot?: string;
  /** Storage of tokens; default: memory. `webStorage()` serves all tabs of a browser. */
  storage?: TokenStorage;
  /** Name of the application, stored with its sessions. */
  clientId?: string;
  /** For pages of the installation itself: whether the refresh token is a cookie that scripts cannot read. */
  refreshCookie?: boolean;
  retry?: Partial<RetryOptions>;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** The service in both styles, as the signed-in user. */
export interface TrigateClient {
  readonly session: Session;
  readonly rest: Rest;
  readonly graphql: Graphql;
  /** Entries of a list of the REST style, page after page. */
  each<Path extends ListPath>(
    path: Path,
    parameters?: ListParameters<Path>,
    options?: ListOptions,
  ): AsyncGenerator<EntryOf<Path>, void, undefined>;
  /** Nodes of a GraphQL connection, page after page. */
  eachNode<Result, Variables, Node>(
    document: AnyDocument<Result, Variables>,
    variables: Variables,
    connectionOf: (result: Result) => Connection<Node> | null | undefined,
    options?: GraphqlOptions,
  ): AsyncGenerator<Node, void, undefined>;
  /** Streams the caller's feed across lost connections and expired tokens. */
  events(options?: EventsOptions): AsyncGenerator<FeedEvent, void, undefined>;
  /** Starts a GraphQL subscription; `resume` continues it after a lost connection. */
  subscribe<Result, Variables>(
    document: AnyDocument<Result, Variables>,
    variables: Variables,
    options?: FollowOptions & { resume?: Resume<Result, Variables> },
  ): AsyncGenerator<Result, void, undefined>;
}

const documentedRoot = '/api/rest';

/** Creates a client; it sends no request until it is used. */
export function createClient(options: ClientOptions = {}): TrigateClient {
  const { baseUrl = globalThis.location?.origin ?? '', restRoot = documentedRoot } = options;
  const { storage = memoryStorage(), clientId, refreshCookie = false } = options;
  const origin = baseUrl.replace(/\/+$/, '');
  const retry = { ...defaultRetry, ...options.retry };
  const fetch = movingRoot(options.fetch ?? ((request) => globalThis.fetch(request)), origin, restRoot);
  const send = createSend({ fetch, retry, session: () => session });
  // An old refresh token is accepted for half a minute only, so retries must end by then.
  const sendGrant = createSend({
    fetch,
    retry: { ...retry, maxWaitMs: Math.min(retry.maxWaitMs, 4_000) },
    session: () => session,
  });
  const session = new Session({
    storage,
    clientId,
    refreshCookie,
    async requestTokens(grant) {
      const isRepeatable = grant.grant_type === 'refresh_token';
      const request = jsonRequest(`${origin}/api/v1/auth/token`, grant);
      const response = await sendGrant(request, { isRepeatable, anonymous: true });
      if (!response.ok) throw await toProblem(response);
      return (await response.json()) as TokenSet;
    },
    async revoke(token) {
      const request = jsonRequest(`${origin}/api/v1/auth/revoke`, { token, client_id: clientId });
      const response = await send(request, { isRepeatable: true, anonymous: true });
      if (!response.ok) throw await toProblem(response);
    },
  });
  const rest = createRest(send, origin);
  const endpoint = `${origin}/graphql`;
  const graphql = createGraphql(send, endpoint, retry);
  const source = { send, retry };
  return {
    session,
    rest,
    graphql,
    each: (path, parameters, more) => eachOf(rest, path, parameters ?? ({} as never), more),
    eachNode: (document, variables, connectionOf, more) =>
      eachNode(graphql, document, variables, connectionOf, more),
    events: (more) => feed(source, `${origin}/api/v1/me/events`, more),
    subscribe: (document, variables, more) => subscription(source, endpoint, document, variables, more),
  };
}

function jsonRequest(url: string, body: Grant): Request {
  return new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // The refresh cookie belongs to this origin.
    credentials: 'same-origin',
  });
}

/** Adapts the root of B and C, which a deployment may change from that of the contract. */
function movingRoot(
  fetch: (request: Request) => Promise<Response>,
  origin: string,
  restRoot: string,
): (request: Request) => Promise<Response> {
  const documented = `${origin}${documentedRoot}/`;
  if (restRoot === documentedRoot) return fetch;
  return (request) =>
    request.url.startsWith(documented)
      ? fetch(new Request(`${origin}${restRoot}/${request.url.slice(documented.length)}`, request))
      : fetch(request);
}

import { type DocumentNode, Kind, print, visit } from 'graphql';
import { request } from 'undici';
import type { Method, Route } from '../../../schema/route/Route.ts';
import { readRoutes } from '../../../schema/route/readRoutes.ts';
import { toRestAnswer } from './toRestAnswer.ts';
import { toVariables } from './toVariables.ts';

/** One operation in both styles. */
export interface Call {
  /** Name of the operation, which is that of its document. */
  operation: string;
  /** Which route of the operation; its first one when left out. */
  method?: Method;
  /** Path parameters and query as they stand in the URL, without the rest root's or base's prefix. */
  path?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Variables of the GraphQL style; default: those that the REST call states. */
  variables?: Record<string, unknown>;
  token?: string;
}

/** What came of a call in one style. */
export interface Answer {
  status: number;
  /** Body of REST, or what REST should have answered for the data of GraphQL. */
  body: any;
  headers: Record<string, string | string[] | undefined>;
}

const routes = readRoutes();

/** Calls a running product in either style. */
export class BothStyles {
  readonly #url: string;
  readonly #graphqlUrl: string;
  readonly #host: string | undefined;

  /**
   * @param host `Host` of another installation
   * @param graphqlUrl where another engine answers GraphQL; the product itself if left out
   */
  constructor(url: string, host?: string, graphqlUrl: string = url) {
    this.#url = url;
    this.#graphqlUrl = graphqlUrl;
    this.#host = host;
  }

  routeOf({ operation, method }: Call): Route {
    const route = routes.find(
      (entry) => entry.operationName === operation && (!method || entry.method === method),
    );
    if (!route) throw new Error(`There is no route ${method ?? ''} of "${operation}".`);
    return route;
  }

  /** The REST style. */
  async rest(call: Call): Promise<Answer> {
    const route = this.routeOf(call);
    const path = route.path
      .replace('{rest_root}', '/api/rest')
      .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.path?.[name] ?? ''));
    const { statusCode, headers, body } = await request(
      `${this.#url}${path}${call.query ? `?${call.query}` : ''}`,
      {
        method: route.method,
        headers: {
          ...this.#headers(call),
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...call.headers,
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      },
    );
    const text = await body.text();
    return { status: statusCode, body: text === '' ? null : JSON.parse(text), headers };
  }

  /** The GraphQL style: the same operation, its answer in the shape that REST should give it. */
  async graphql(call: Call): Promise<Answer> {
    const route = this.routeOf(call);
    const variables = call.variables ?? toVariables(route, call);
    const { status, body, headers } = await this.query(
      print(withTypeNames(route.document)),
      { ...presencesOf(route, variables), ...variables },
      call.token,
    );
    const problem = body.errors?.[0]?.extensions?.problem;
    if (problem) return { status: problem.status, body: problem, headers };
    if (body.errors) throw new Error(`${call.operation}: ${JSON.stringify(body.errors)}`);
    return { status, body: toRestAnswer(route, body.data), headers };
  }

  /** Any GraphQL document. */
  async query(query: string, variables: Record<string, unknown> = {}, token?: string): Promise<Answer> {
    const answer = await request(`${this.#graphqlUrl}/graphql`, {
      method: 'POST',
      headers: {
        ...this.#headers({ token }),
        'content-type': 'application/json',
        accept: 'application/json',
        // As a proxy says it, from which an engine that is not ours learns it.
        'x-forwarded-host': this.#host ?? new URL(this.#url).host,
      },
      body: JSON.stringify({ query, variables }),
    });
    return { status: answer.statusCode, body: await answer.body.json(), headers: answer.headers };
  }

  #headers({ token }: { token?: string | undefined }): Record<string, string> {
    return {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(this.#host === undefined ? {} : { host: this.#host }),
    };
  }
}

/** What the facade says of parameters by itself: whether they are there. */
function presencesOf(
  { parameterOptions }: Route,
  variables: Record<string, unknown>,
): Record<string, boolean> {
  return Object.fromEntries(
    [...parameterOptions].flatMap(([name, { presenceOf }]) =>
      presenceOf === undefined ? [] : [[name, (variables[presenceOf] ?? null) !== null]],
    ),
  );
}

/** Asks for the type of every object: an answer of a union says nothing without it. */
function withTypeNames(document: DocumentNode): DocumentNode {
  const typeName = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const;
  return visit(document, {
    SelectionSet: (node, _key, parent) =>
      parent && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION
        ? undefined
        : { ...node, selections: [typeName, ...node.selections] },
  });
}

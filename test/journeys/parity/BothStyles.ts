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
  /** Route of the operation. Default: its first route. */
  method?: Method;
  /** Path parameters and query, as in the URL. */
  path?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Variables of the GraphQL call. Default: derived from the REST call. */
  variables?: Record<string, unknown>;
  token?: string;
}

/** Outcome of a call in one style. */
export interface Answer {
  status: number;
  /** The REST body, or the body that REST should return for the GraphQL data. */
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
   * @param graphqlUrl address of another GraphQL engine. Default: the product
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

  /** Calls a REST route. */
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

  /** Calls the same operation over GraphQL, and converts its answer to the expected REST answer. */
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

  /** Sends any GraphQL document. */
  async query(query: string, variables: Record<string, unknown> = {}, token?: string): Promise<Answer> {
    const answer = await request(`${this.#graphqlUrl}/graphql`, {
      method: 'POST',
      headers: {
        ...this.#headers({ token }),
        'content-type': 'application/json',
        accept: 'application/json',
        // Another engine reads the host from the header of a proxy.
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

/** Variables that the facade sets itself: whether a parameter is present. */
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

/** Selects the type of every object, because the answer of a union is ambiguous without it. */
function withTypeNames(document: DocumentNode): DocumentNode {
  const typeName = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const;
  return visit(document, {
    SelectionSet: (node, _key, parent) =>
      parent && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION
        ? undefined
        : { ...node, selections: [typeName, ...node.selections] },
  });
}

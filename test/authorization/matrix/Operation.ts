import { readRoutes } from '../../../schema/route/readRoutes.ts';
import type { Item, ItemName } from '../world/Item.ts';
import type { World } from '../world/openWorld.ts';
import type { Who } from '../world/people.ts';
import type { Expected, Rule, Style } from './rules.ts';

/** One call of the matrix. */
export interface Cell {
  readonly world: World;
  readonly who: Who;
  readonly style: Style;
  readonly item: Item | null;
  /** Whether the call is allowed. If so, it needs a suitable record, such as a draft to publish. */
  readonly isAnswered: boolean;
}

/** Input of a call for REST and GraphQL. */
export interface Call {
  readonly variables: object;
  /** Path parameters, query and body of the REST request. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Token of a user like the caller, for a call that ends the caller's session or account. */
  readonly token?: string;
}

/** One way to call a root field, with one item. */
export interface Case {
  readonly name?: string;
  readonly item?: ItemName;
  readonly rule?: Rule;
  /** Scope of API clients, if it depends on the item. */
  readonly scope?: string;
  call(cell: Cell): Call | Promise<Call>;
  /** Expected refusal by the resolver, after the guard. Null if there is none. */
  meaning?(cell: Cell): Exclude<Expected, 'answered'> | null;
  /** Checks the answer: the REST body, or the value of the GraphQL root field. */
  check?(data: any, cell: Cell): void;
}

/** One root field. */
export interface Operation {
  /** As in `Query.listing`. */
  readonly field: string;
  readonly rule: Rule;
  /** Requires a sign-in within the last ten minutes. */
  readonly stepUp?: true;
  /** Allows callers without the second factor that their role requires. */
  readonly withoutMfa?: true;
  /** Its responses can contain the email address or phone number of another user. */
  readonly showsPeople?: true;
  /** Scope that an API client needs, or `*` for any API client. Without a scope, only users can call it. */
  readonly scope?: string;
  /** REST status of its calls, if it is not the first one that the document of the route states. */
  readonly status?: number;
  /** GraphQL selection of the field. */
  readonly selection: string;
  /** Default: one call without input. */
  readonly cases?: readonly Case[];
  check?(data: any, cell: Cell): void;
}

const withoutInput: readonly Case[] = [{ call: () => ({ variables: {} }) }];

export const casesOf = ({ cases = withoutInput }: Operation): readonly Case[] => cases;

const routes = Map.groupBy(
  readRoutes(),
  ({ kind, operationName }) => `${kind === 'query' ? 'Query' : 'Mutation'}.${operationName}`,
);

/** Status of success by REST method and path, for every route that runs the field. */
export function routesOf({ field, status }: Operation): Readonly<Record<string, number>> {
  const own = routes.get(field) ?? [];
  return Object.fromEntries(own.map((route) => [`${route.method} ${route.path}`, status ?? route.status]));
}

/** The idempotency key of a call as a REST header. */
export function keyHeader({ variables }: Pick<Call, 'variables'>): (readonly [string, string])[] {
  const { input } = variables as { input?: { idempotencyKey?: string } };
  return input?.idempotencyKey === undefined ? [] : [['idempotency-key', input.idempotencyKey]];
}

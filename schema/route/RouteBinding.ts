import type { GraphQLField, GraphQLInputField, GraphQLInputObjectType, GraphQLInputType } from 'graphql';
import type { Deprecation } from '../deprecation/Deprecation.ts';
import type { Guard } from '../guards/readGuard.ts';
import type { Route } from './Route.ts';
import type { FieldTraits } from './readTraits.ts';
import type { FieldShape, SelectionShape } from './selectionShape.ts';

/** Style of a parameter in the query: one value, `a,b`, `x=a&x=b`, or `prefix.name=a,b`. An object is `a,b` too. */
export type ParameterStyle = 'single' | 'commas' | 'repetition' | 'prefix';

/** A parameter of path or query and the variable, or member of `$input`, that it fills. */
export interface ParameterBinding {
  /** Name in the path template or the query; with style `prefix`, the prefix of the names. */
  readonly name: string;
  readonly in: 'path' | 'query';
  /** `[variable]`, `['input', member]`, or `['input', key, part]` of a key that the path spells. */
  readonly target: readonly string[];
  /** Type of the target without its outermost non-null. */
  readonly type: GraphQLInputType;
  readonly style: ParameterStyle;
  readonly required: boolean;
  readonly description: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
  readonly defaultValue?: unknown;
  /** The body may carry it as well; both with different values are refused. */
  readonly alsoInBody: boolean;
}

/** `If-Match` or `Idempotency-Key`, and its variable. */
export interface HeaderBinding {
  readonly target: readonly string[];
  readonly required: boolean;
  /** Whether the target is an Int; a version may also be a text. */
  readonly isInt: boolean;
}

/**
 * A variable that is derived from the parameter of another one: whether it is present, its text, or the order by an
 * attribute that it states.
 */
export interface EchoBinding {
  readonly variable: string;
  /** Name in the query. */
  readonly parameter: string;
  readonly of: 'presence' | 'text' | 'attribute';
}

/** The JSON body and the input it fills. */
export interface BodyBinding {
  readonly variable: string;
  readonly type: GraphQLInputObjectType;
  /** Members that come from the body; path and header members are unknown there. */
  readonly members: readonly GraphQLInputField[];
  /** Whether a request without a body is refused. */
  readonly required: boolean;
  /** For DELETE: members are in the query, or in a body if the query is empty. */
  readonly insteadOfQuery: boolean;
}

/** The paging of a route whose result is a connection. */
export interface PagingBinding {
  /** Variable of the page size, its name in the query, and its default. */
  readonly size: { readonly variable: string; readonly name: string; readonly defaultValue: number };
  /** Name in the query of the cursor; the `Link` to the next page carries it. */
  readonly cursorName: string;
}

/** Largest page; a request for more is refused. */
export const maxPageSize = 100;

/** Default page size of a route. */
export const defaultPageSize = 20;

/** A route and everything that follows from its document and the schema. */
export interface RouteBinding {
  readonly route: Route;
  /** Root field in the public schema, for its description. */
  readonly field: GraphQLField<unknown, unknown>;
  /** Guard of the root field in the supergraph. */
  readonly guard: Guard;
  readonly traits: FieldTraits;
  /** Deprecation of the route, or else of its root field; null if neither is deprecated. */
  readonly deprecation: Deprecation | null;
  readonly parameters: readonly ParameterBinding[];
  readonly ifMatch?: HeaderBinding;
  readonly idempotencyKey?: HeaderBinding;
  /** Variable that `Accept-Language` fills; the response then varies by it. */
  readonly acceptLanguage?: HeaderBinding;
  readonly echoes: readonly EchoBinding[];
  readonly body?: BodyBinding;
  readonly paging?: PagingBinding;
  /** Shape of `data`. */
  readonly shape: SelectionShape;
  /** Source of the body: the member at `result`. Absent with 204. */
  readonly result?: FieldShape;
}

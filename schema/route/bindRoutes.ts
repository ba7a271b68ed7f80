import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isListType,
  isNonNullType,
  validate,
} from 'graphql';
import { type Deprecation, deprecationForm, parseDeprecation } from '../deprecation/Deprecation.ts';
import { readGuard } from '../guards/readGuard.ts';
import { publicExceptions } from '../publicExceptions.ts';
import { bindVariables } from './bindVariables.ts';
import { InvalidRoutes, type Route, type RouteFinding } from './Route.ts';
import {
  defaultPageSize,
  type PagingBinding,
  type ParameterBinding,
  type RouteBinding,
} from './RouteBinding.ts';
import { readTraits } from './readTraits.ts';
import { type FieldShape, findMember, type SelectionShape, shapeOfOperation } from './selectionShape.ts';

/** The schemas that routes are bound to. */
export interface Contract {
  /** Types and descriptions that clients see. */
  readonly api: GraphQLSchema;
  /** Guards, rate classes and limits of the root fields. */
  readonly supergraph: GraphQLSchema;
}

/**
 * Binds every route to the schema: the sources of variables, the shape of the response, and the guard.
 *
 * @param options `areValid`: the documents were already validated, which is most of the work; only the rest is
 *   checked
 * @throws InvalidRoutes with all findings: documents that do not match the schema, unused parameters, result paths
 *   without a selection, unguarded fields, public routes of A that are not public exceptions, and the reverse
 */
export function bindRoutes(
  routes: readonly Route[],
  contract: Contract,
  { areValid = false }: { areValid?: boolean } = {},
): RouteBinding[] {
  const findings: RouteFinding[] = [];
  const bindings: RouteBinding[] = [];
  for (const route of routes) {
    try {
      if (!areValid) assertFits(route, contract.api);
      bindings.push(bindRoute(route, contract));
    } catch (error) {
      findings.push({ file: route.file, message: error instanceof Error ? error.message : String(error) });
    }
  }
  if (findings.length > 0) throw new InvalidRoutes(findings);
  return bindings;
}

function assertFits({ document }: Route, api: GraphQLSchema): void {
  const [invalid] = validate(api, document);
  if (invalid) throw new Error(invalid.message);
}

function bindRoute(route: Route, { api, supergraph }: Contract): RouteBinding {
  const rootOf = (schema: GraphQLSchema) =>
    (route.kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields()[
      route.operationName
    ];
  const field = rootOf(api);
  const guarded = rootOf(supergraph);
  if (!field || !guarded) throw new Error(`the schema has no ${route.kind} "${route.operationName}"`);
  const guard = readGuard(guarded);
  if (!guard) throw new Error(`the root field "${route.operationName}" has no guard`);
  const traits = readTraits(guarded);
  const shape = shapeOfOperation(api, route.document);
  const variables = bindVariables(route, traits, supergraph);
  const result = route.result && memberAt(shape, route.result, 'result');
  const paging = result && route.list ? pagingOf(route, result, variables.parameters) : undefined;
  const binding: RouteBinding = {
    route,
    field,
    guard,
    traits,
    deprecation: deprecationOf(route, field),
    shape,
    ...variables,
    ...(result ? { result } : {}),
    ...(paging ? { paging } : {}),
  };
  assertPublicity(binding);
  assertAnswer(binding);
  return binding;
}

function deprecationOf(
  { deprecated }: Route,
  { deprecationReason }: GraphQLField<unknown, unknown>,
): Deprecation | null {
  const reason = deprecated ?? deprecationReason;
  if (!reason) return null;
  const deprecation = parseDeprecation(reason);
  if (deprecation === null) throw new Error(`the reason of a deprecation has the form "${deprecationForm}"`);
  return deprecation;
}

function memberAt(shape: SelectionShape | undefined, path: readonly string[], argument: string): FieldShape {
  const member = findMember(shape, path);
  if (!member) throw new Error(`"${argument}": the operation selects no "${path.join('.')}"`);
  return member;
}

/** Returns the paging of a connection; undefined for a plain list. */
function pagingOf(
  route: Route,
  result: FieldShape,
  parameters: readonly ParameterBinding[],
): PagingBinding | undefined {
  if (isListType(isNonNullType(result.type) ? result.type.ofType : result.type)) return undefined;
  for (const path of [['nodes'], ['pageInfo', 'hasNextPage'], ['pageInfo', 'endCursor']]) {
    memberAt(result.shape, path, 'list');
  }
  const size = parameters.find(({ target }) => target.at(-1) === 'first' && target.length === 1);
  const cursor = parameters.find(({ target }) => target.at(-1) === 'after' && target.length === 1);
  if (!size || !cursor) throw new Error('"list": a connection needs the variables $first and $after');
  const stated = size.defaultValue;
  return {
    size: {
      variable: 'first',
      name: size.name,
      defaultValue: typeof stated === 'number' ? stated : defaultPageSize,
    },
    cursorName: cursor.name,
  };
}

/** Checks that a route of A is public exactly if it is an explicit exception; decorations alone grant nothing. */
function assertPublicity({ route, guard }: RouteBinding): void {
  const isPublic = guard.public === true;
  if (route.ignoreAuthorization && !isPublic)
    throw new Error('"ignoreAuthorization" needs a public root field');
  if (isPublic && route.method === 'GET' && !route.cache)
    throw new Error('a public GET must state its "cache"');
  if (route.interface !== 'A') return;
  const isException = publicExceptions.some(
    ({ method, path }) => method === route.method && path === route.path,
  );
  if (isPublic && !isException) {
    throw new Error(`the root field is public, but ${route.method} ${route.path} is not a public exception`);
  }
  if (!isPublic && isException) {
    throw new Error(`${route.method} ${route.path} is a public exception, but the root field is guarded`);
  }
}

function assertAnswer({ route, shape, result, body, paging }: RouteBinding): void {
  if (route.created && getNamedType(memberAt(shape, route.created, 'created').type).name !== 'Boolean') {
    throw new Error('"created" must lead to a Boolean');
  }
  if (route.basicClient && !['clientId', 'clientSecret'].every((name) => hasMember(body?.members, name))) {
    throw new Error('"basicClient" needs the members clientId and clientSecret in $input');
  }
  if (route.upload) {
    const missing = ['filename', 'contentType'].find((name) => !hasMember(body?.members, name));
    if (missing) throw new Error(`"upload" needs the member ${missing} in $input`);
    for (const path of [['id'], ['upload', 'url']]) memberAt(result?.shape, path, 'upload');
  }
  if (route.refreshCookie.length > 0) {
    const missing = ['refreshCookie', ...route.refreshCookie].find((name) => !hasMember(body?.members, name));
    if (missing) throw new Error(`"refreshCookie" needs the member ${missing} in $input`);
  }
  if (route.formatParameter && !route.csv) throw new Error('"formatParameter" needs "csv"');
  if (route.csv && (!paging || route.snakeCase)) throw new Error('"csv" needs a connection, in camelCase');
  if (route.stream && (!paging || route.snakeCase))
    throw new Error('"stream" needs a connection, in camelCase');
  if (!result || !route.result) return;
  if (route.spread) memberAt(result.shape, [route.spread], 'spread');
  for (const path of route.overlay) {
    if (!memberAt(entryOf(route, result, paging).shape, path, 'overlay').shape)
      throw new Error(`"overlay": "${path.join('.')}" has no members`);
  }
  if (route.contentLanguage) memberAt(result.shape, route.contentLanguage, 'contentLanguage');
  for (const name of route.meta) memberAt(metaParent(shape, route, result), [name], 'meta');
  if (route.etag) assertInBody(route.etag, route, shape, result, 'etag');
  for (const [, name = ''] of (route.location ?? '').matchAll(/\{([\w.]+)\}/g)) {
    if (name === 'rest_root' || route.pathParameters.includes(name)) continue;
    assertInBody(name.split('.'), route, shape, result, 'location');
  }
}

/** Returns the source of a list entry, or of the result itself without a list. */
export function entryOf(route: Route, result: FieldShape, paging: PagingBinding | undefined): FieldShape {
  return route.list && paging ? memberAt(result.shape, ['nodes'], 'list') : result;
}

/** Returns the object whose other members are in `meta`: the connection, or the parent of a plain list. */
function metaParent(shape: SelectionShape, route: Route, result: FieldShape): SelectionShape | undefined {
  if (result.shape && findMember(result.shape, ['nodes'])) return result.shape;
  const parent = route.result?.slice(0, -1) ?? [];
  return parent.length === 0 ? shape : findMember(shape, parent)?.shape;
}

/** Checks that a path leads to a member of the body as the client sees it, including `data`, `meta` and `spread`. */
function assertInBody(
  path: readonly string[],
  route: Route,
  shape: SelectionShape,
  result: FieldShape,
  argument: string,
): void {
  const [first = '', ...rest] = path;
  if (route.list) {
    if (first === 'meta' && rest[0] && route.meta.includes(rest[0])) {
      memberAt(metaParent(shape, route, result), rest, argument);
      return;
    }
    throw new Error(`"${argument}": the body has no "${path.join('.')}"; a list has data, page and meta`);
  }
  const spread = route.spread ? findMember(result.shape, [route.spread, ...path]) : undefined;
  if (!spread) memberAt(result.shape, path, argument);
}

function hasMember(members: readonly { name: string }[] | undefined, name: string): boolean {
  return members?.some((member) => member.name === name) ?? false;
}

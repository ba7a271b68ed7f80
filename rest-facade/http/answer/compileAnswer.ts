import { hash } from 'node:crypto';
import { getNamedType } from 'graphql';
import { withRestRoot } from '../../../schema/route/pathTemplate.ts';
import type { RouteBinding } from '../../../schema/route/RouteBinding.ts';
import { Refusal } from '../Refusal.ts';
import type { Variables } from '../request/compileParameters.ts';
import { compileEnums, compileMembers } from './compileMembers.ts';
import { compileOverlay } from './compileOverlay.ts';

/** Request headers that the response depends on. */
export interface AnswerRequest {
  readonly variables: Variables;
  /** Path and query as received, from which the `Link` to the next page is built. */
  readonly path: string;
  readonly queryText: string;
  /** Raw values of the path's parameters, in order. */
  readonly pathValues: readonly string[];
}

/** A successful answer, ready to be written. */
export interface Answer {
  readonly status: number;
  /** JSON body; absent with 204. */
  readonly body?: string;
  readonly etag?: string;
  readonly location?: string;
  readonly link?: string;
  readonly contentLanguage?: string;
  readonly setCookie?: string;
}

type Data = Record<string, unknown>;

/**
 * Compiles the conversion of an execution's `data` to the response of its route: the bare representation, or `{data,
 * page, meta}`; enum values in lower case; status, `ETag`, `Location` and `Link`.
 *
 * @throws (the compiled function) Refusal 404 `not_found` if the result is null
 */
export function compileAnswer(
  binding: RouteBinding,
  restRoot: string,
): (data: Data, request: AnswerRequest) => Answer {
  const { route, result, shape } = binding;
  const lowerEnums = compileEnums(shape);
  const statusOf = compileStatus(binding);
  if (!result || !route.result) return () => ({ status: route.status });
  const toBody = compileBody(binding);
  const location =
    route.location && compileLocation(withRestRoot(route.location, restRoot), route.pathParameters);
  const etagPath = route.etag;
  const resultPath = route.result;
  return (data, request) => {
    lowerEnums?.(data);
    const body = toBody(data, request.variables);
    const status = statusOf(data);
    const text = JSON.stringify(body);
    const version = etagPath && valueAt(body, etagPath);
    const link = nextLink(binding, body, request);
    const language = route.contentLanguage && valueAt(valueAt(data, resultPath), route.contentLanguage);
    return {
      status,
      body: text,
      ...(version === undefined || version === null ? {} : { etag: toEtag(version, text) }),
      ...(location && (status === 201 || status === 202)
        ? { location: location(body, request.pathValues) }
        : {}),
      ...(link === undefined ? {} : { link }),
      ...(typeof language === 'string' ? { contentLanguage: language } : {}),
    };
  };
}

/** Returns the strong entity tag: the version for `If-Match`, and a digest of this representation. */
function toEtag(version: unknown, body: string): string {
  return `"${String(version).replace(/[^\x21\x23-\x7e]/g, '')}-${hash('sha256', body, 'hex').slice(0, 8)}"`;
}

function compileStatus({ route }: RouteBinding): (data: Data) => number {
  const { created, status, otherwise } = route;
  return created ? (data) => (valueAt(data, created) === true ? status : otherwise) : () => status;
}

function compileBody(binding: RouteBinding): (data: Data, variables: Variables) => unknown {
  const { route, result } = binding;
  const resultPath = route.result ?? [];
  const parentPath = resultPath.slice(0, -1);
  const copy = result && compileMembers(result, route);
  const typeName = result ? getNamedType(result.type).name : '';
  const toList = compileList(binding);
  const { spread } = route;
  const hide = compileHidden(route);
  const overlay = compileOverlay(route.overlay);
  return (data, variables) => {
    const value = valueAt(data, resultPath);
    if (value === null || value === undefined) throw new Refusal('not_found', `${typeName} does not exist.`);
    if (toList) return toList(value, valueAt(data, parentPath) as Data, variables);
    const own = overlay ? overlay(value as Data) : value;
    const visible = hide ? hide(own as Data) : own;
    if (spread) return lift(visible as Data, spread);
    return copy ? copy(visible) : visible;
  };
}

/**
 * Compiles the removal of the boolean that selects the status, which is not part of the representation even if it is
 * next to its members. Null if there is nothing to remove.
 */
function compileHidden({ created, result = [] }: RouteBinding['route']): ((value: Data) => Data) | null {
  const name = created?.at(-1);
  if (name === undefined || created?.slice(0, -1).join('.') !== result.join('.')) return null;
  return ({ [name]: _hidden, ...visible }) => visible;
}

function compileList({
  route,
  paging,
}: RouteBinding): ((value: unknown, parent: Data, variables: Variables) => unknown) | null {
  if (!route.list) return null;
  const { meta } = route;
  const overlay = compileOverlay(route.overlay);
  const entriesOf = (list: unknown) => (overlay ? (list as Data[]).map(overlay) : list);
  const metaOf = (source: Data) =>
    meta.length === 0 ? {} : { meta: Object.fromEntries(meta.map((name) => [name, source[name] ?? null])) };
  if (!paging) return (value, parent) => ({ data: entriesOf(value), ...metaOf(parent) });
  const listName = route.result?.at(-1) ?? '';
  return (value, parent, variables) => {
    const connection = value as {
      nodes: unknown;
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
    const { hasNextPage, endCursor } = connection.pageInfo;
    const page = { nextCursor: hasNextPage ? endCursor : null, limit: variables[paging.size.variable] };
    const { [listName]: _list, ...beside } = route.within ? parent : {};
    return { ...beside, data: entriesOf(connection.nodes), page, ...metaOf(value as Data) };
  };
}

/** Lifts a member, as in `{group: {a, b}, detached}` -> `{a, b, detached}`. */
function lift(value: Data, name: string): Data {
  const { [name]: lifted, ...rest } = value;
  if (typeof lifted !== 'object' || lifted === null) return value;
  return { ...lifted, ...rest };
}

function nextLink({ paging }: RouteBinding, body: unknown, request: AnswerRequest): string | undefined {
  if (!paging) return undefined;
  const cursor = (body as { page: { nextCursor: string | null } }).page.nextCursor;
  if (cursor === null) return undefined;
  const kept = request.queryText
    .split('&')
    .filter((pair) => pair !== '' && pair.split('=', 1)[0] !== paging.cursorName);
  const query = [...kept, `${paging.cursorName}=${encodeURIComponent(cursor)}`].join('&');
  const target = `${request.path}?${query}`.replace(/[^\x21\x23-\x3b\x3d\x3f-\x7e]/g, encodeURIComponent);
  return `<${target}>; rel="next"`;
}

/**
 * Compiles the location. Members of the body take precedence over parameters of the path, whose raw value can be used
 * in another path.
 */
function compileLocation(template: string, pathParameters: readonly string[]) {
  return (body: unknown, pathValues: readonly string[]): string =>
    template.replace(/\{([\w.]+)\}/g, (_, name: string) => {
      const value = valueAt(body, name.split('.'));
      if (typeof value === 'string' || typeof value === 'number') return encodeURIComponent(value);
      return pathValues[pathParameters.indexOf(name)] ?? '';
    });
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Data)[key];
  }
  return value;
}

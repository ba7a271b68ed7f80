import type { RecordedCall } from '../../../schema/openapi/RecordedCall.ts';
import { targetOf, type ValidRequest } from '../../authorization/validCalls.ts';
import type { HttpRequest } from '../../support/openHttpClient.ts';
import { outlineOf } from './imagined.ts';

/**
 * The request of an example, with what only a world can know in place of what is imagined: ids, times, addresses and
 * secrets. Everything else is the example's own.
 *
 * @param valid a call that this world answers, made of the same members
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

/** Texts of `known` where those of the example are imagined. */
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

/**
 * Where an answer is not what its example shows: other members, kinds of values, texts or switches. Ids, times,
 * addresses and secrets have to be of the kind that is shown; numbers may be others, as counts are.
 *
 * @param actual with all entries of its lists, of which the example shows some
 * @returns findings, each with the place in the answer
 */
export function unlike(example: unknown, actual: unknown, place = ''): string[] {
  if (typeof example === 'string' && typeof actual === 'string')
    return outlineOf(example) === outlineOf(actual)
      ? []
      : [`${place} is "${actual.slice(0, 80)}", not "${example.slice(0, 80)}"`];
  if (kindOf(example) !== kindOf(actual)) return [`${place} is ${kindOf(actual)}, not ${kindOf(example)}`];
  if (typeof example === 'boolean') return example === actual ? [] : [`${place} is ${String(actual)}`];
  if (Array.isArray(example) && Array.isArray(actual)) {
    if (actual.length < example.length || (actual.length > 0 && example.length === 0))
      return [`${place} has ${actual.length} entries, not ${example.length}`];
    return example.flatMap((entry, index) => unlikeEntry(entry, actual, index, place));
  }
  if (example === null || typeof example !== 'object') return [];
  return unlikeMembers(example as Members, actual as Members, place);
}

/** What was made at the same moment may stand in another order. */
function unlikeEntry(example: unknown, actual: readonly unknown[], index: number, place: string): string[] {
  const findings = unlike(example, actual[index], `${place}/${index}`);
  const isElsewhere = findings.length > 0 && actual.some((entry) => unlike(example, entry).length === 0);
  return isElsewhere ? [] : findings;
}

type Members = Readonly<Record<string, unknown>>;

function unlikeMembers(example: Members, actual: Members, place: string): string[] {
  const shown = outlined(example);
  const present = outlined(actual);
  const lost = [...shown.keys()]
    .filter((name) => !present.has(name))
    .map((name) => `${place}/${name} is missing`);
  const more = [...present.keys()]
    .filter((name) => !shown.has(name))
    .map((name) => `${place}/${name} is not shown`);
  const both = [...shown].filter(([name]) => present.has(name));
  return [
    ...lost,
    ...more,
    ...both.flatMap(([name, value]) => unlike(value, present.get(name), `${place}/${name}`)),
  ];
}

function outlined(members: Members): Map<string, unknown> {
  return new Map(Object.entries(members).map(([name, member]) => [outlineOf(name), member]));
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value;
}

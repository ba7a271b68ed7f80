import type { Route } from '../../schema/route/Route.ts';
import { definitionOf, documentOf, inParallel } from '../authorization/matrix/runMatrix.ts';
import {
  documentedQueryParameters,
  targetOf,
  type ValidCall,
  type ValidRequest,
  validCalls,
  validRequests,
} from '../authorization/matrix/validCalls.ts';
import { openWorld, type World } from '../authorization/world/openWorld.ts';
import { findUndocumented } from '../contract/documentedAnswer.ts';
import type { HttpRequest } from '../support/stack/openHttpClient.ts';
import { type LeafInput, leafInputsOf, withValue } from './leafInputs.ts';

/** Texts that careless text handling does not expect. */
const texts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u2066',
  '🙂'.repeat(300),
  'x'.repeat(30_000),
  '('.repeat(500),
  '\\',
  '$ne',
  '{"$ne":null}',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  'http://127.0.0.1:1/\r\nX: y',
  "'; DROP TABLE users; --",
  '<img src=x onerror=alert(1)>',
  '2026-02-30T00:00:00.000Z',
  'zz-ZZ-zz',
  'lst_00000000000000000000000000',
];
const values: readonly unknown[] = [
  ...texts,
  null,
  0,
  -1,
  0.5,
  1e21,
  Number.MAX_SAFE_INTEGER + 2,
  true,
  [],
  {},
];
/** Values for members that accept any JSON. */
const documents: readonly unknown[] = [
  ...values,
  nested(15, (inner) => [inner]),
  nested(15, (inner) => ({ a: inner })),
  Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index])),
  Array.from({ length: 5000 }, () => ({})),
  { 'a.b': 1, $set: { roles: ['operator'] }, 'a\u0000': 1, '': 1 },
  JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
  { make: { $regex: '.*' }, mileageKm: { $gt: 0 } },
];

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

interface Try {
  readonly what: string;
  readonly request: HttpRequest;
  /** Route of the request. None for GraphQL. */
  readonly route?: Route;
}

let world: World;
let calls: readonly ValidCall[];
let requests: readonly ValidRequest[];

let share: number;
let places = 0;

function someFor({ isJson, isList }: Pick<LeafInput, 'isJson' | 'isList'>): unknown[] {
  const chosen = isJson ? someOf(documents) : someOf(values);
  return chosen.map((value) => (isList && typeof value === 'string' ? [value] : value));
}

/** The next values in rotation. */
function someOf<Value>(all: readonly Value[]): Value[] {
  places += 1;
  if (share < 1 && places % Math.round(1 / share) !== 0) return [];
  const count = Math.min(Math.max(share, 1), all.length);
  return Array.from({ length: count }, (_, index) => all[(places * count + index) % all.length] as Value);
}

function inBodies(): Try[] {
  return requests.flatMap(({ request, route, operation }) => {
    const input = definitionOf(operation.field).args.find(({ name }) => name === 'input');
    const { body } = request;
    if (!input || typeof body !== 'object') return [];
    const restName = (name: string) =>
      route.snakeCase ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
    return leafInputsOf(input.type).flatMap((leaf) => {
      const path = leaf.path.map(restName);
      return someFor(leaf).map((value) => ({
        what: `${route.method} ${route.path} ${path.join('.')}`,
        request: { ...request, body: withValue(body, { ...leaf, path, beside: [] }, value) },
        route,
      }));
    });
  });
}

function inVariables(): Try[] {
  return calls.flatMap(({ operation, call, who }) =>
    definitionOf(operation.field).args.flatMap((argument) =>
      leafInputsOf(argument.type, [argument.name]).flatMap((leaf) =>
        someFor(leaf).map((value) => {
          const variables = withValue(call.variables, leaf, value);
          const body = { query: documentOf(operation, variables), variables };
          return {
            what: `${operation.field} ${leaf.path.join('.')}`,
            request: { method: 'POST', path: '/graphql', token: call.token ?? world.tokenOf(who), body },
          };
        }),
      ),
    ),
  );
}

function inAddresses(): Try[] {
  const plain = texts
    .filter((text) => text.length < 2000)
    .map((text) => encodeURIComponent(text.toWellFormed()));
  const queries = documentedQueryParameters(requests).flatMap(({ valid, name }) => {
    const [target = ''] = valid.request.path.split('?');
    return someOf(plain).map((text) => ({
      what: `${valid.route.method} ${valid.route.path}?${name}`,
      request: { ...valid.request, path: `${target}?${name}=${text}` },
      route: valid.route,
    }));
  });
  const paths = requests.flatMap(({ route, request }) =>
    route.pathParameters.slice(0, 1).flatMap((name) =>
      someOf(texts.slice(2)).map((text) => ({
        what: `${route.method} ${route.path}`,
        request: { ...request, path: targetOf(route.path, { [name]: text.toWellFormed().slice(0, 2000) }) },
        route,
      })),
    ),
  );
  return [...queries, ...paths];
}

/** Kinds of places that take values: title, collector, and minimum number of tries. */
const placesOf = {
  body: ['a member of a body', inBodies, 100],
  address: ['a part of an address', inAddresses, 50],
  variables: ['an argument of an operation', inVariables, 130],
} as const;

/**
 * Declares the tests that no value of an input causes a server error, a refusal that OpenAPI lacks, or long work.
 *
 * @param valuesPerPlace number of values for each place of an input. They rotate between places. 1/3 is one value for
 *   every third place
 */
export function describeHostileValues(
  kinds: readonly (keyof typeof placesOf)[],
  valuesPerPlace: number,
): void {
  beforeAll(async () => {
    share = valuesPerPlace;
    world = await openWorld();
    calls = await validCalls(world);
    requests = await validRequests(world, calls);
  }, 180_000);
  afterAll(() => world.app.close());

  test.each(kinds.map((kind) => placesOf[kind]))(
    'no hostile value for %s causes a server error, an undocumented refusal or 5 s of work',
    async (_, collect, least) => {
      const tries = collect();
      const faults = await inParallel(tries, findFaults);
      expect(faults.flat()).toEqual([]);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect(tries.length).toBeGreaterThan(least);
    },
    300_000,
  );
}

async function findFaults({ what, request, route }: Try): Promise<string[]> {
  const begun = performance.now();
  const answer = await world.app.send(request);
  const { status, text } = answer;
  const elapsedMs = performance.now() - begun;
  const isFault = status >= 500 || /INTERNAL_SERVER_ERROR|internal_error/.test(text);
  const undocumented = route ? findUndocumented(route, answer) : null;
  if (!isFault && undocumented === null && elapsedMs < 5000) return [];
  const sent = JSON.stringify(request.body ?? request.path).slice(0, 300);
  return [
    `${what}: ${undocumented ?? status} in ${Math.round(elapsedMs)} ms for ${sent}: ${text.slice(0, 200)}`,
  ];
}

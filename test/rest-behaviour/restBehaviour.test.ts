import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { type RouteBehaviour, routeBehaviours } from '../../schema/behaviour/routeBehaviour.ts';
import { bindRoutes } from '../../schema/route/bindRoutes.ts';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import { readScopedRecords } from '../authorization/matrix/readScopedRecords.ts';
import { type ValidRequest, validRequestsInTurn } from '../authorization/matrix/validCalls.ts';
import { openWorld, type World } from '../authorization/world/openWorld.ts';
import type { HttpAnswer, HttpRequest } from '../support/stack/openHttpClient.ts';

/** `ROUTES=listings npm test -- test/rest-behaviour` runs the routes whose path matches. */
const wanted = new RegExp(process.env.ROUTES ?? '');
const schemaOf = (name: string) =>
  buildSchema(readFileSync(new URL(`../../schema/${name}.graphql`, import.meta.url), 'utf8'), {
    assumeValidSDL: true,
  });
const bindings = bindRoutes(readRoutes(), { api: schemaOf('api'), supergraph: schemaOf('supergraph') });
const behaviours = new Map(
  routeBehaviours(bindings).map((behaviour) => [`${behaviour.method} ${behaviour.operation}`, behaviour]),
);

let world: World;
const faults: string[] = [];
const seen = { routes: 0, tags: 0, otherTypes: 0, notModified: 0, locations: 0, refusedBodies: 0 };

beforeAll(async () => {
  world = await openWorld();
  for await (const valid of validRequestsInTurn(world)) {
    if (!wanted.test(valid.route.path)) continue;
    seen.routes += 1;
    await callAll(valid);
  }
}, 600_000);
afterAll(() => world.app.close());

/** Sends the refused requests first, because the valid request may not be repeatable. */
async function callAll({ route, request }: ValidRequest): Promise<void> {
  const behaviour = behaviours.get(`${route.method} ${route.operationName}`);
  if (!behaviour) throw new Error(`${route.file} has no behaviour.`);
  const note = (what: string, got: unknown, expected: unknown): void => {
    if (String(got) !== String(expected))
      faults.push(`${route.method} ${route.path} ${what}: ${String(got)} instead of ${String(expected)}`);
  };
  const send = (change: Partial<HttpRequest>) => world.app.send({ ...request, ...change });
  await callRefused(behaviour, request, send, note);
  await callValid(behaviour, { request, versionAt: route.etag }, send, note);
}

type Note = (what: string, got: unknown, expected: unknown) => void;
type Send = (change: Partial<HttpRequest>) => Promise<HttpAnswer>;

const withHeader = ({ headers = [] }: HttpRequest, name: string, value: string): Partial<HttpRequest> => ({
  headers: [...headers.filter(([stated]) => stated.toLowerCase() !== name), [name, value]],
});

async function callRefused(
  behaviour: RouteBehaviour,
  request: HttpRequest,
  send: Send,
  note: Note,
): Promise<void> {
  const options = await send({ method: 'OPTIONS', body: undefined });
  note('OPTIONS', [options.status, options.headers.allow], [204, behaviour.allow]);
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
    (method) => !behaviour.allow.split(', ').includes(method),
  );
  const [other] = others;
  if (other) {
    const refused = await send({ method: other, body: undefined, token: world.tokenOf('administrator') });
    note(`as ${other}`, [refused.status, refused.headers.allow], [405, behaviour.allow]);
  }
  const untaken = await send(withHeader(request, 'accept', 'image/png'));
  note('Accept: image/png', [untaken.status, untaken.json?.code], [406, 'not_acceptable']);
  if (behaviour.consumes.length === 0 || behaviour.method === 'DELETE') return;
  const odd = await send({ ...withHeader(request, 'content-type', 'text/x-odd'), body: 'odd' });
  const named = odd.headers['accept-patch'] ?? odd.headers.accept;
  note('text/x-odd', [odd.status, odd.json?.code], [415, 'unsupported_media_type']);
  note('types that are named', String(named).includes('application/json'), true);
  seen.refusedBodies += 1;
}

async function callValid(
  behaviour: RouteBehaviour,
  { request, versionAt }: { request: HttpRequest; versionAt: readonly string[] | undefined },
  send: Send,
  note: Note,
): Promise<void> {
  const { cache, location, link, etag, statuses, method } = behaviour;
  const { status, headers, text, json } = await send({});
  if (!statuses.includes(status))
    return note('status', `${status} ${text.slice(0, 300)}`, statuses.join(' or '));
  const isPersonal = cache.isPersonalWithToken && request.token !== undefined;
  note('Cache-Control', headers['cache-control'], isPersonal ? 'private, no-store' : cache.control);
  note('Vary', headers.vary, ['Accept-Encoding', ...cache.vary].join(', '));
  // `/me` of an API client has no version.
  const version = (versionAt ?? []).reduce<any>((at, name) => at?.[name], json) ?? null;
  const hasTag = etag && version !== null;
  note('ETag', headers.etag !== undefined, hasTag);
  note('Location', headers.location !== undefined, location !== undefined && [201, 202].includes(status));
  note('X-Request-Id', typeof headers['x-request-id'], 'string');
  if (!link) note('Link', headers.link, undefined);
  const type = status === 204 || behaviour.produces.length === 0 ? 'undefined' : 'application/json';
  note('Content-Type', headers['content-type'], type);
  if (headers.location !== undefined) seen.locations += 1;
  if (headers.etag !== undefined) seen.tags += 1;
  if (method !== 'GET') return;
  for (const other of behaviour.produces.filter((type) => type === 'text/csv')) {
    const listed = await send(withHeader(request, 'accept', other));
    note(other, [listed.status, listed.headers['cache-control']], [200, headers['cache-control']]);
    note(`X-Request-Id as ${other}`, typeof listed.headers['x-request-id'], 'string');
    seen.otherTypes += 1;
  }
  const head = await send({ method: 'HEAD' });
  note('HEAD', [head.status, head.text, head.headers.etag], [status, '', headers.etag]);
  if (!hasTag) return;
  const tag = String(headers.etag);
  note('a strong tag', /^"[^"]*-[0-9a-f]{8}"$/.test(tag), true);
  const same = await send(withHeader(request, 'if-none-match', tag));
  note('If-None-Match', [same.status, same.text, same.headers.etag], [304, '', tag]);
  const other = await send(withHeader(request, 'if-match', '"of-nothing-00000000"'));
  note('If-Match', [other.status, other.json?.code], [412, 'precondition_failed']);
  seen.notModified += 1;
}

test('every route has the documented methods, media types, caching, entity tags and locations', () => {
  expect(faults).toEqual([]);
});

test('the tests of REST behaviour call every route', () => {
  const all = readRoutes().filter(({ path }) => wanted.test(path)).length;
  expect(seen.routes).toBe(all);
  expect(seen.tags).toBeGreaterThanOrEqual(seen.notModified);
  if (process.env.ROUTES !== undefined) return;
  expect(all).toBeGreaterThan(120);
  expect(Object.entries(seen).filter(([, count]) => count < 5)).toEqual([]);
});

test('calling every route creates no record without an installation or with ids of another installation', async () => {
  const stored = await readScopedRecords();
  expect(new Set(stored.map(({ name }) => name)).size).toBeGreaterThan(10);
  const homeless = stored.filter(({ home }) => home !== 'ins_demo' && home !== 'ins_other');
  expect(homeless.map(({ name, id }) => `${name} ${id}`)).toEqual([]);
  const homeOf = new Map(stored.map(({ id, home }) => [id, home]));
  const crossing = stored.flatMap(({ name, id, home, mentions }) =>
    mentions
      .filter((other) => (homeOf.get(other) ?? home) !== home)
      .map((other) => `${name} ${id} -> ${other}`),
  );
  expect(crossing).toEqual([]);
  expect(stored.flatMap(({ mentions }) => mentions).length).toBeGreaterThan(100);
});

import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { waiting } from '../../../test/support/facade/shopResolvers.ts';
import { useFacade } from '../../../test/support/facade/startFacade.ts';

const facade = useFacade({ bodyTimeouts: { idleTimeoutMs: 80, totalTimeoutMs: 400 } });
const json = { 'content-type': 'application/json' };
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  facade.call(path, { method, token: 'user', headers, ...(body !== undefined && { body }) });
const create = (body: unknown, headers?: Record<string, string>) =>
  send('POST', '/api/v1/listings', body, headers);
const listing = (members: object) => create({ title: 'T', ...members });

test.each<[string, object]>([
  [
    'nested objects and lists',
    { places: [{ price: { amount: 1, currency: 'EUR' } }, { parent: { parent: {} } }] },
  ],
  ['JSON as it is', { attributes: { state: 'draft', deep: [1, { 'a/b': null }] } }],
  ['null where the schema allows it', { state: null }],
  [
    'a time, a URL and a language',
    { publishAt: '2026-05-02T09:00:00Z', site: 'https://a.example/x', language: 'pt_BR' },
  ],
])('a body carries %s', async (_, members) => {
  const { json: body, status } = await listing(members);
  expect([status, body]).toEqual([201, { title: 'T', ...members }]);
});

test('an enum value of a body is written in lower case', async () => {
  expect((await listing({ state: 'in_review' })).json).toEqual({ title: 'T', state: 'IN_REVIEW' });
});

// test/hostile-input holds unknown members and operators for every member of every route.
test.each<[string, object, string, string]>([
  [
    'an unknown member within others',
    { places: [{}, { parent: { x: 1 } }] },
    '#/places/1/parent/x',
    'unknown_field',
  ],
  ['a member that belongs to a header', { idempotencyKey: 'k' }, '#/idempotencyKey', 'unknown_field'],
  ['null in a list', { tags: ['a', null] }, '#/tags/1', 'validation_failed'],
  ['null for a required member', { title: null }, '#/title', 'validation_failed'],
  ['an enum value in upper case', { state: 'DRAFT' }, '#/state', 'validation_failed'],
  ['an enum value of the prototype', { state: 'constructor' }, '#/state', 'validation_failed'],
  [
    'a fraction of a minor unit',
    { price: { amount: 1.5, currency: 'EUR' } },
    '#/price/amount',
    'validation_failed',
  ],
  [
    'an amount of 2^53',
    { price: { amount: 2 ** 53, currency: 'EUR' } },
    '#/price/amount',
    'validation_failed',
  ],
  ['a date that does not exist', { publishAt: '2026-02-31' }, '#/publishAt', 'validation_failed'],
  ['a URL that is a script', { site: 'javascript:alert(1)' }, '#/site', 'validation_failed'],
  ['an invalid language tag', { language: 'english!' }, '#/language', 'validation_failed'],
  ['a lone surrogate', { title: '\ud800' }, '#/title', 'validation_failed'],
  ['a lone surrogate in JSON', { attributes: { a: ['\udfff'] } }, '#/attributes', 'validation_failed'],
])('a body with %s is refused with 422 and a pointer to the member', async (_, members, pointer, code) => {
  expect((await listing(members)).json).toMatchObject({ status: 422, code, errors: [{ pointer, code }] });
});

test('a __proto__ within JSON is refused and pollutes no prototype', async () => {
  const { json: body } = await create('{"title":"T","attributes":{"__proto__":{"admin":true}}}', json);
  expect(body).toMatchObject({ errors: [{ pointer: '#/attributes' }] });
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});

test('a refusal lists every wrong member, up to a hundred', async () => {
  const count = async (body: object) => ((await create(body)).json as { errors: object[] }).errors.length;
  expect(await count({ titel: 1, price: { amount: 'x' }, tags: [1] })).toBe(5);
  expect(await count(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1])))).toBe(
    100,
  );
});

test('a merge patch distinguishes absent members from null', async () => {
  const type = { 'content-type': 'application/merge-patch+json' };
  const patch = (body: object) => send('PATCH', '/api/v1/listings/lst_1', JSON.stringify(body), type);
  expect((await patch({ title: null })).json).toEqual({ listingId: 'lst_1', title: null });
  expect((await patch({})).json).toEqual({ listingId: 'lst_1' });
  expect((await patch({ listingId: 'lst_2' })).json).toMatchObject({ code: 'unknown_field' });
  expect((await patch({ expectedVersion: 2 })).json).toMatchObject({ code: 'unknown_field' });
});

test('a member that only responses have is refused as read_only_field', async () => {
  const { json: body } = await send('PATCH', '/api/v1/me', { id: 'usr_2', state: 'closed' });
  const errors = [{ pointer: '#/id' }, { pointer: '#/state' }];
  expect(body).toMatchObject({ status: 422, code: 'read_only_field', errors });
});

test('a representation that was read can be sent back with a change', async () => {
  const { json: read } = await send('GET', '/api/v1/me');
  const changed = await send('PATCH', '/api/v1/me', { ...(read as object), name: 'Eve' });
  expect([changed.status, changed.json]).toEqual([200, expect.objectContaining({ name: 'Eve' })]);
  const refused = await send('PATCH', '/api/v1/me', { ...(read as object), name: 'Eve', state: 'closed' });
  expect(refused.json).toMatchObject({ code: 'read_only_field', errors: [{ pointer: '#/state' }] });
});

test.each<[string, string | undefined, Record<string, string>, number, string]>([
  ['no body where one is required', undefined, {}, 400, 'invalid_json'],
  ['an empty body where one is required', '', json, 400, 'invalid_json'],
  [
    'a form',
    'title=a',
    { 'content-type': 'application/x-www-form-urlencoded' },
    415,
    'unsupported_media_type',
  ],
  [
    'a merge patch by POST',
    '{}',
    { 'content-type': 'application/merge-patch+json' },
    415,
    'unsupported_media_type',
  ],
])('a body is refused for %s', async (_, body, headers, status, code) => {
  expect((await create(body, headers)).json).toMatchObject({ status, code });
});

test.each(['application/json; charset="UTF-8"', 'Application/JSON', 'application/json'])(
  'a body with the media type %s is accepted',
  async (type) => {
    expect((await create('{"title":"a"}', { 'content-type': type })).status).toBe(201);
  },
);

test('a compressed body is accepted, up to the size limit of its route', async () => {
  const title = Array.from({ length: 2000 }, (_, index) => (index * 7919).toString(36)).join(' ');
  const packed = await create(gzipSync(JSON.stringify({ title })), { ...json, 'content-encoding': 'gzip' });
  expect([packed.status, packed.json]).toEqual([201, { title }]);
  const body = { content: 'x'.repeat(900_000) };
  const large = await facade.call('/api/rest/seo-tools/v1/analysis', {
    method: 'POST',
    token: 'admin',
    body,
  });
  expect(large.json).toEqual({ length: 900_000 });
});

test('a body may be omitted if all of its members are optional', async () => {
  const statuses = [];
  for (const body of [undefined, {}, { note: 'n' }, { listingId: 'lst_3' }])
    statuses.push((await send('PUT', '/api/v1/me/favorites/lst_2', body)).status);
  expect(statuses).toEqual([200, 200, 200, 422]);
});

/** Writes a request in pieces with pauses and reads the answer until the connection ends. */
function writeSlowly(pieces: string[], pauseMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(facade.port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.on('close', () => resolve(answer)).on('error', reject);
    const write = () => {
      const piece = pieces.shift();
      if (piece !== undefined && socket.writable) socket.write(piece);
      if (pieces.length > 0) setTimeout(write, pauseMs);
    };
    write();
  });
}

const head =
  'POST /api/v1/listings HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer user\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';

test.each([
  ['stops arriving', ['{"title"'], 1],
  ['arrives too slowly', Array.from({ length: 60 }, () => ' '), 20],
])('a body that %s returns 408, and the connection closes', async (_, pieces, pauseMs) => {
  const answer = await writeSlowly([head, ...pieces], pauseMs);
  expect(answer).toMatch(/^HTTP\/1.1 408 [^]*Connection: close[^]*"request_timeout"/i);
});

test('a client that disconnects before its response or within its body causes no fault', async () => {
  const begun = new Promise<void>((resolve) => (waiting.begun = resolve));
  let release = () => {};
  waiting.release = new Promise<void>((resolve) => (release = resolve));
  const leave = async (text: string, ready?: Promise<void>) => {
    const socket = connect(facade.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    await new Promise<void>((written) => socket.write(text, () => written()));
    await ready;
    socket.destroy();
    await closed;
  };
  await leave('GET /api/v1/trouble/wait HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer user\r\n\r\n', begun);
  release();
  await leave(`${head}{"ti`);
  expect((await listing({})).status).toBe(201);
  expect(facade.faults).toEqual([]);
});

import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { waiting } from '../fixture/shopResolvers.ts';
import { type Call, type Reply, type RunningFacade, startFacade } from '../fixture/startFacade.ts';

let facade: RunningFacade;
beforeAll(async () => {
  facade = await startFacade({ bodyTimeouts: { idleTimeoutMs: 80, totalTimeoutMs: 400 } });
});
afterAll(() => facade.close());

const json = { 'content-type': 'application/json' };
const create = (body: unknown, headers?: Record<string, string>): Promise<Reply> =>
  facade.call('/api/v1/listings', { method: 'POST', token: 'user', body, ...(headers ? { headers } : {}) });
const listing = (members: object) => create({ title: 'T', ...members });
const pointers = ({ json: body }: Reply) =>
  (body as { errors?: { pointer: string; code: string }[] }).errors ?? [];

test.each<[string, object, object]>([
  ['enum values in lower case', { state: 'in_review' }, { state: 'IN_REVIEW' }],
  [
    'nested objects and lists',
    { places: [{ price: { amount: 1, currency: 'EUR' } }, { parent: { parent: {} } }] },
    { places: [{ price: { amount: 1, currency: 'EUR' } }, { parent: { parent: {} } }] },
  ],
  [
    'JSON as it is',
    { attributes: { state: 'draft', deep: [1, { 'a/b': null }] } },
    { attributes: { state: 'draft', deep: [1, { 'a/b': null }] } },
  ],
  ['null where the schema allows it', { state: null }, { state: null }],
  [
    'texts of every kind of scalar',
    { publishAt: '2026-05-02T09:00:00Z', site: 'https://a.example/x', language: 'pt_BR' },
    { publishAt: '2026-05-02T09:00:00Z', site: 'https://a.example/x', language: 'pt_BR' },
  ],
])('a body carries %s', async (_, members, expected) => {
  const { json: body, status } = await listing(members);
  expect([status, body]).toEqual([201, { title: 'T', ...expected }]);
});

test.each<[string, object, string, string]>([
  ['an unknown member', { nope: 1 }, '#/nope', 'unknown_field'],
  [
    'an unknown member deep inside',
    { places: [{}, { parent: { x: 1 } }] },
    '#/places/1/parent/x',
    'unknown_field',
  ],
  ['a member that belongs to a header', { idempotencyKey: 'k' }, '#/idempotencyKey', 'unknown_field'],
  ['a name of the prototype', { constructor: {} }, '#/constructor', 'unknown_field'],
  ['a pointer that needs escapes', { 'a/b~c d': 1 }, '#/a~1b~0c%20d', 'unknown_field'],
  ['a text for a list', { tags: 'a' }, '#/tags', 'validation_failed'],
  ['null in a list', { tags: ['a', null] }, '#/tags/1', 'validation_failed'],
  ['an operator for a text', { title: { $ne: null } }, '#/title', 'validation_failed'],
  ['a list for an object', { price: [] }, '#/price', 'validation_failed'],
  ['a number for a text', { title: 7 }, '#/title', 'validation_failed'],
  ['null for what is required', { title: null }, '#/title', 'validation_failed'],
  ['an enum value in upper case', { state: 'DRAFT' }, '#/state', 'validation_failed'],
  ['an enum value of the prototype', { state: 'constructor' }, '#/state', 'validation_failed'],
  [
    'a fraction of a minor unit',
    { price: { amount: 1.5, currency: 'EUR' } },
    '#/price/amount',
    'validation_failed',
  ],
  [
    'an amount beyond 2^53',
    { price: { amount: 2 ** 53, currency: 'EUR' } },
    '#/price/amount',
    'validation_failed',
  ],
  ['a time of no calendar', { publishAt: '2026-02-31' }, '#/publishAt', 'validation_failed'],
  ['a URL that is a script', { site: 'javascript:alert(1)' }, '#/site', 'validation_failed'],
  ['a language that is none', { language: 'english!' }, '#/language', 'validation_failed'],
  ['half a character', { title: '\ud800' }, '#/title', 'validation_failed'],
  ['half a character in JSON', { attributes: { a: ['\udfff'] } }, '#/attributes', 'validation_failed'],
])('%s is 422 with its pointer', async (_, members, pointer, code) => {
  const reply = await listing(members);
  expect(reply.json).toMatchObject({ status: 422, code, errors: [{ pointer, code }] });
});

test('a member named __proto__ is unknown, at the top and inside of JSON, and pollutes nothing', async () => {
  const top = await create('{"title":"T","__proto__":{"admin":true}}', json);
  expect(pointers(top)).toMatchObject([{ pointer: '#/__proto__', code: 'unknown_field' }]);
  const inside = await create('{"title":"T","attributes":{"__proto__":{"admin":true}}}', json);
  expect(pointers(inside)).toMatchObject([{ pointer: '#/attributes' }]);
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});

test('everything wrong is told at once, up to a hundred', async () => {
  expect(pointers(await create({ titel: 1, price: { amount: 'x' }, tags: [1] }))).toHaveLength(5);
  const flood = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1]));
  expect(pointers(await listing(flood))).toHaveLength(100);
});

test('a merge patch keeps absent and null apart', async () => {
  const patch = (body: object, type = 'application/merge-patch+json') =>
    facade.call('/api/v1/listings/lst_1', {
      method: 'PATCH',
      token: 'user',
      body: JSON.stringify(body),
      headers: { 'content-type': type },
    });
  expect((await patch({ title: null })).json).toEqual({ listingId: 'lst_1', title: null });
  expect((await patch({})).json).toEqual({ listingId: 'lst_1' });
  expect((await patch({ listingId: 'lst_2' })).json).toMatchObject({ code: 'unknown_field' });
  expect((await patch({ expectedVersion: 2 })).json).toMatchObject({ code: 'unknown_field' });
});

test('a member that the answer shows but nobody writes is read_only_field', async () => {
  const reply = await facade.call('/api/v1/me', {
    method: 'PATCH',
    token: 'user',
    body: { id: 'usr_2', state: 'active' },
  });
  expect(reply.json).toMatchObject({
    status: 422,
    code: 'read_only_field',
    errors: [{ pointer: '#/id' }, { pointer: '#/state' }],
  });
});

test.each<[string, string | Buffer | undefined, Record<string, string>, number, string]>([
  ['no body where one is needed', undefined, {}, 400, 'invalid_json'],
  ['an empty body where one is needed', '', json, 400, 'invalid_json'],
  ['a broken body', '{', json, 400, 'invalid_json'],
  [
    'bytes that are no UTF-8',
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    json,
    400,
    'invalid_json',
  ],
  ['a nesting of 21', `${'['.repeat(21)}${']'.repeat(21)}`, json, 400, 'invalid_json'],
  ['100,000 brackets', '['.repeat(100_000), json, 400, 'invalid_json'],
  ['a member twice', '{"title":"a","title":"b"}', json, 400, 'invalid_json'],
  ['a list', '[]', json, 422, 'validation_failed'],
  ['null', 'null', json, 422, 'validation_failed'],
  ['no media type', '{}', {}, 415, 'unsupported_media_type'],
  ['text', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  [
    'a form where none is taken',
    'title=a',
    { 'content-type': 'application/x-www-form-urlencoded' },
    415,
    'unsupported_media_type',
  ],
  [
    'a merge patch where none is taken',
    '{}',
    { 'content-type': 'application/merge-patch+json' },
    415,
    'unsupported_media_type',
  ],
  [
    'another charset',
    '{}',
    { 'content-type': 'application/json; charset=utf-16' },
    415,
    'unsupported_media_type',
  ],
  ['another encoding', '{}', { ...json, 'content-encoding': 'br' }, 415, 'unsupported_media_type'],
  ['gzip that is none', '{}', { ...json, 'content-encoding': 'gzip' }, 400, 'malformed_request'],
  [
    'a gzip bomb',
    gzipSync(`{"title":"${'x'.repeat(200_000)}"}`),
    { ...json, 'content-encoding': 'gzip' },
    413,
    'payload_too_large',
  ],
  ['more than 256 KiB', `{"title":"${'x'.repeat(262_144)}"}`, json, 413, 'payload_too_large'],
])('%s is refused', async (_, body, headers, status, code) => {
  expect((await create(body, headers)).json).toMatchObject({ status, code });
});

test.each<[string, Record<string, string>]>([
  ['with a charset', { 'content-type': 'application/json; charset="UTF-8"' }],
  ['in another case', { 'content-type': 'Application/JSON' }],
  ['whole', json],
])('JSON %s is taken', async (_, headers) => {
  expect((await create('{"title":"a"}', headers)).status).toBe(201);
});

test('a gzip body counts inflated and is read within its ratio', async () => {
  const words = Array.from({ length: 2000 }, (_, index) => (index * 7919).toString(36)).join(' ');
  const reply = await create(gzipSync(JSON.stringify({ title: words })), {
    ...json,
    'content-encoding': 'gzip',
  });
  expect([reply.status, reply.json]).toEqual([201, { title: words }]);
});

test('a route with a larger limit takes a larger body', async () => {
  const analyze = (length: number) =>
    facade.call('/api/rest/seo-tools/v1/analysis', {
      method: 'POST',
      token: 'admin',
      body: { content: 'x'.repeat(length) },
    });
  expect((await analyze(900_000)).json).toEqual({ length: 900_000 });
  expect((await analyze(1_048_576)).status).toBe(413);
});

test('a chunked body over the limit is refused without its announced length', async () => {
  const call: Call = { method: 'POST', token: 'user', headers: { ...json, 'transfer-encoding': 'chunked' } };
  const reply = await facade.call('/api/v1/listings', { ...call, body: Buffer.alloc(400_000, 'x') });
  expect(reply.status).toBe(413);
});

test('a body is optional where every member is', async () => {
  const put = (body?: unknown) =>
    facade.call('/api/v1/me/favorites/lst_2', {
      method: 'PUT',
      token: 'user',
      ...(body === undefined ? {} : { body }),
    });
  expect((await put()).status).toBe(200);
  expect((await put({})).status).toBe(200);
  expect((await put({ note: 'n' })).status).toBe(200);
  expect((await put({ listingId: 'lst_3' })).status).toBe(422);
});

/** Writes a request by hand, in pieces with pauses, and reads what comes back. */
function dribble(pieces: string[], pauseMs: number): Promise<string> {
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

test('a body that stops arriving is 408, and the connection ends', async () => {
  const answer = await dribble([head, '{"title"'], 1);
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect(answer).toContain('"request_timeout"');
  expect(answer).toMatch(/Connection: close/i);
});

test('a body that dribbles for ever is 408 as well', async () => {
  const answer = await dribble([head, ...Array.from({ length: 60 }, () => ' ')], 20);
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
});

test('a client that leaves while its answer is made harms nobody', async () => {
  const begun = new Promise<void>((resolve) => (waiting.begun = resolve));
  let release = () => {};
  waiting.release = new Promise<void>((resolve) => (release = resolve));
  const socket = connect(facade.port, '127.0.0.1');
  socket.write('GET /api/v1/trouble/wait HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer user\r\n\r\n');
  await begun;
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.destroy();
  await closed;
  release();
  expect((await listing({})).status).toBe(201);
  expect(facade.faults).toEqual([]);
});

test('a client that leaves in the middle harms nobody', async () => {
  const before = facade.faults.length;
  await new Promise<void>((resolve) => {
    const socket = connect(facade.port, '127.0.0.1', () =>
      socket.write(`${head}{"ti`, () => socket.destroy()),
    );
    socket.on('close', () => resolve());
  });
  expect((await listing({})).status).toBe(201);
  expect(facade.faults.length).toBe(before);
});

import { buildIdentity } from '../../subgraphs/identity/server.ts';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { createLanguageSettings } from '../../subgraphs/translation/language/createLanguageSettings.ts';
import { buildTranslation } from '../../subgraphs/translation/server.ts';
import { commandsOf } from '../support/commandsOf.ts';
import { openRestStack, type RestCall, type RestStack } from '../support/openRestStack.ts';
import { type SeededDealer, type SeededUser, seed } from '../support/seed.ts';

const root = '/api/rest/translation/v1';
let rest: RestStack;
let editor: SeededUser;
let translator: SeededUser;
let dealer: SeededDealer;
let stranger: SeededDealer;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity, buildTranslation]);
  const { stack } = rest;
  await createLanguageSettings(stack.demo, {
    languages: [{ code: 'en' }, { code: 'de' }, { code: 'fr' }, { code: 'ar', active: false }],
  });
  const shop = await seed(stack).in(stack.demo);
  [editor, translator] = [await shop.staff('editor'), await shop.staff('translator')];
  [dealer, stranger] = [await shop.dealer(), await shop.dealer()];
}, 60_000);
afterAll(() => rest.close());

const call = (method: string, path: string, options?: RestCall) =>
  rest.call(method, `${root}${path}`, options);
const as = ({ token }: SeededUser, body?: unknown): RestCall => ({
  token,
  ...(body === undefined ? {} : { body }),
});
const published = async (language = 'en'): Promise<string> =>
  (await dealer.listing({ published: true, language })).id;
const created = (id: string, members: object = {}) =>
  call('POST', '/translations', as(editor, { source: { type: 'listing', id }, language: 'fr', ...members }));

describe('languages', () => {
  test('anybody reads them; who has read them is told that nothing changed', async () => {
    const first = await call('GET', '/languages?display=de');
    expect(first.status).toBe(200);
    expect(first.body.meta).toEqual({ total: 3, scope: 'active', default: 'en', version: 1 });
    expect(Object.keys(first.body.data[0])).toEqual([
      'code',
      'locale',
      'bcp47',
      'names',
      'direction',
      'active',
      'default',
      'order',
      'homeUrl',
    ]);
    expect(first.body.data[2]).toMatchObject({ names: { display: 'Französisch' }, direction: 'ltr' });
    expect(first.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=600');
    const etag = first.headers.get('etag') ?? '';
    const again = await call('GET', '/languages?display=de', { headers: { 'if-none-match': etag } });
    expect(again).toMatchObject({ status: 304, body: null });
  });

  test('while the configuration is fresh neither the list nor a 304 touches the database', async () => {
    const read = (headers: Record<string, string> = {}) => call('GET', '/languages?display=de', { headers });
    const etag = (await read()).headers.get('etag') ?? '';
    let statuses: number[] = [];
    const commands = await commandsOf(async () => {
      statuses = [(await read()).status, (await read({ 'if-none-match': etag })).status];
    });
    expect([statuses, commands]).toEqual([[200, 304], []]);
  });

  test.each([
    ['scope=ALL', 400],
    ['scope=some', 400],
    ['scope=active&scope=all', 400],
    ['display=f%20r', 400],
    ['lang=fr', 400],
    ['scope=all', 401],
  ])('?%s is %d to strangers', async (query, status) => {
    expect((await call('GET', `/languages?${query}`)).status).toBe(status);
  });

  test('all of them are for those whose reach is the installation', async () => {
    expect((await call('GET', '/languages?scope=all', as(editor))).body.meta.total).toBe(4);
    expect((await call('GET', '/languages?scope=all', as(dealer.owner))).status).toBe(403);
  });
});

test('a translation is made, handed in, published and read', async () => {
  const id = await published();
  const fields = { title: 'Octavia', description: 'Un seul propriétaire' };
  const made = await call(
    'POST',
    '/translations',
    as(translator, { source: { type: 'listing', id }, language: 'fr', fields }),
  );
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toBe(`${root}/translations?id=${made.body.id}`);
  expect(made.headers.get('etag')).toMatch(/^"1-[0-9a-f]{8}"$/);
  expect(made.body).toMatchObject({
    language: 'fr',
    object: { type: 'listing', id: made.body.id },
    source: { type: 'listing', id, language: 'en' },
    status: 'draft',
    live: false,
    allowedTransitions: ['in_progress', 'needs_review'],
    fields: { ...fields, slug: null },
  });
  const selector = `/translations?objectType=listing&objectId=${id}&language=fr`;
  const handedIn = await call('PATCH', selector, as(translator, { status: 'needs_review' }));
  expect(handedIn).toMatchObject({ status: 200, body: { status: 'needs_review', version: 2 } });
  const stale = {
    ...as(editor, { id: made.body.id, status: 'published' }),
    headers: { 'if-match': made.headers.get('etag') ?? '' },
  };
  expect((await call('PUT', '/translations', stale)).status).toBe(412);
  const current = { ...stale, headers: { 'if-match': handedIn.headers.get('etag') ?? '' } };
  expect(await call('PUT', '/translations', current)).toMatchObject({
    status: 200,
    body: { status: 'published', live: true },
  });
  const read = await call('GET', `${selector}&fallback=none`, as(dealer.owner));
  expect(read.body).toMatchObject({
    id: made.body.id,
    fields: { title: 'Octavia' },
    resolution: { requested: 'fr', matched: 'fr', strategy: 'exact', chain: ['fr'], fallbackUsed: false },
  });
  expect((await call('GET', `/translations?id=${made.body.id}`, as(editor))).body.version).toBe(3);
});

test('several objects are one answer with an entry for each', async () => {
  const [first, second] = [await published(), newId('listing')];
  await created(first, { status: 'published', fields: { title: 'x', description: 'y' } });
  const query = `objectType=listing&objectId=${first}&objectId=${second}&language=fr&fallback=none`;
  const { status, body, headers } = await call('GET', `/translations?${query}`, as(editor));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    data: [
      { objectId: first, translation: { language: 'fr' }, resolution: { strategy: 'exact', reason: null } },
      { objectId: second, translation: null, resolution: { strategy: 'none', reason: 'object_not_found' } },
    ],
  });
  expect(headers.get('etag')).toBeNull();
});

test('objects are linked, read as a group, and unlinked by query or body', async () => {
  const [english, german] = [await published('en'), await published('de')];
  const input = { object: { type: 'listing', id: german }, relatedTo: { type: 'listing', id: english } };
  const linked = await call('POST', '/relations', as(dealer.owner, input));
  expect(linked.status).toBe(201);
  expect(linked.headers.get('location')).toBe(`${root}/relations?groupId=${linked.body.id}`);
  expect(linked.body).toMatchObject({
    objectType: 'listing',
    version: 1,
    source: { objectId: english, language: 'en' },
    members: [
      { language: 'en', object: { type: 'listing', id: english }, isSource: true, live: true },
      { language: 'de', object: { type: 'listing', id: german }, isSource: false, origin: 'linked' },
    ],
    missing: ['fr'],
    detached: [],
  });
  expect(linked.body).not.toHaveProperty('created');
  expect((await call('POST', '/relations', as(dealer.owner, input))).status).toBe(200);
  const byObject = `/relations?objectType=listing&objectId=${german}`;
  const group = await call('GET', byObject, as(dealer.owner));
  expect(group.body.id).toBe(linked.body.id);
  const stale = { ...as(dealer.owner), headers: { 'if-match': '"7-00000000"' } };
  expect((await call('DELETE', byObject, stale)).status).toBe(412);
  const unlinked = await call(
    'DELETE',
    '/relations',
    as(dealer.owner, { objectType: 'listing', objectId: german }),
  );
  expect(unlinked).toMatchObject({ status: 200, body: { removed: { object: { id: german } }, group: null } });
  expect((await call('DELETE', byObject, as(dealer.owner))).body.code).toBe('relation_not_found');
});

describe('refusals', () => {
  test.each<[string, string, object | undefined, number, string]>([
    ['GET', '/relations', undefined, 400, 'malformed_request'],
    ['GET', '/relations?groupId=grp_x', undefined, 404, 'relation_not_found'],
    ['GET', '/relations?objectId[$ne]=x', undefined, 400, 'unsupported_parameter'],
    ['GET', '/translations?objectType=term&objectId=x&language=fr', undefined, 400, 'malformed_request'],
    ['GET', '/translations?objectType=listing&objectId=x&language=fr', undefined, 404, 'object_not_found'],
    ['GET', '/translations?objectType=listing&objectId=x&language=f%20r', undefined, 400, 'invalid_language'],
    [
      'GET',
      '/translations?objectType=listing&objectId=x&language=fr&language=de',
      undefined,
      400,
      'unsupported_parameter',
    ],
    ['POST', '/relations', {}, 422, 'validation_failed'],
    ['POST', '/relations', { object: { type: 'listing', id: 'x', $ne: 1 } }, 422, 'unknown_field'],
    [
      'POST',
      '/translations',
      { source: { type: 'listing', id: 'x' }, language: 'fr', machineTranslate: true },
      422,
      'unknown_field',
    ],
    [
      'POST',
      '/translations',
      { source: { type: 'listing', id: 'x' }, language: 'fr', fields: { blocks: [] } },
      422,
      'unknown_field',
    ],
    [
      'POST',
      '/translations',
      { source: { type: 'listing', id: 'x' }, language: 'fr', fields: JSON.parse('{"__proto__":"x"}') },
      422,
      'unknown_field',
    ],
    [
      'DELETE',
      '/relations?objectType=listing&objectId=x',
      { objectType: 'listing', objectId: 'y' },
      400,
      'malformed_request',
    ],
    ['PATCH', '/translations?id=trn_x', {}, 422, 'validation_failed'],
    ['PATCH', '/translations?id=trn_x', { fields: { title: 'x' } }, 422, 'unknown_field'],
    ['PUT', '/translations?id=trn_x', { status: 'draft', fields: {} }, 422, 'unknown_field'],
    ['PATCH', '/translations?id=trn_x', { id: 'trn_y', status: 'draft' }, 400, 'malformed_request'],
    ['PATCH', '/translations?id=trn_x', { status: 'draft' }, 404, 'translation_not_found'],
    ['PUT', '/translations?id=trn_x', { note: 'x' }, 422, 'validation_failed'],
    ['PUT', '/translations', { status: 'draft' }, 400, 'malformed_request'],
    ['DELETE', '/relations', undefined, 400, 'malformed_request'],
  ])('%s %s %j is %d %s', async (method, path, body, status, code) => {
    const answer = await call(method, path, as(editor, body));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('what belongs to another dealer is his', async () => {
    const id = await published();
    const path = `/translations?objectType=listing&objectId=${id}&language=en`;
    expect((await call('GET', path, as(stranger.owner))).body.code).toBe('ownership_required');
    expect((await call('GET', path)).status).toBe(401);
  });

  test.each(['strings', 'suggestions', 'import', 'export', 'status'])(
    'there is no /%s, with a token or without',
    async (name) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        expect((await call(method, `/${name}`)).status).toBe(404);
        expect((await call(method, `/${name}`, as(editor))).status).toBe(404);
      }
    },
  );

  test('another method of a known path is 405', async () => {
    const answer = await call('DELETE', '/translations', as(editor));
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, expect.stringContaining('PATCH')]);
  });
});

test('the same key creates one translation', async () => {
  const body = { source: { type: 'listing', id: await published() }, language: 'de' };
  const request = { ...as(editor, body), headers: { 'idempotency-key': newId('listing') } };
  const [first, second] = [
    await call('POST', '/translations', request),
    await call('POST', '/translations', request),
  ];
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect((await created(body.source.id, { language: 'de' })).body).toMatchObject({
    code: 'translation_exists',
    conflict: { id: first.body.id },
  });
});

import { french, openDesk } from '../../subgraphs/translation/fixture/openDesk.ts';
import { product } from '../support/product.ts';
import type { SeededUser } from '../support/seed.ts';
import { commandsOf } from '../support/stack/commandsOf.ts';

const world = product();
const { market } = world;
const { people, car } = openDesk(world);
const root = '/api/rest/translation/v1';

interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
}
const call = (
  method: string,
  path: string,
  { as = people.editor, ...sent }: Sent & { as?: SeededUser } = {},
) => as.rest(method, `${root}${path}`, sent);
const listing = (id: string) => ({ type: 'listing', id });

test('GET /languages costs no database command while the languages are cached, with 200 and with 304', async () => {
  const read = (headers: Record<string, string> = {}) =>
    market.visitor.rest('GET', `${root}/languages?display=de`, { headers });
  // The languages are cached for five seconds from here on.
  world.stack.advance(6000);
  const first = await read();
  expect(first.body.meta).toEqual({ total: 5, scope: 'active', default: 'en', version: 1 });
  expect(first.body.data[2]).toMatchObject({ names: { display: 'Französisch' }, direction: 'ltr' });
  const statuses: number[] = [];
  const commands = await commandsOf(async () => {
    for (const headers of [{}, { 'if-none-match': first.headers.get('etag') ?? '' }])
      statuses.push((await read(headers)).status);
  });
  expect([statuses, commands]).toEqual([[200, 304], []]);
});

test('a translation is created, submitted for review, published and read through REST', async () => {
  const id = await car();
  const body = { source: listing(id), language: 'fr', fields: french };
  const made = await call('POST', '/translations', { as: people.translator, body });
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toBe(`${root}/translations?id=${made.body.id}`);
  expect(made.body).toMatchObject({
    language: 'fr',
    object: listing(made.body.id),
    source: { ...listing(id), language: 'en' },
    status: 'draft',
    live: false,
    allowedTransitions: ['in_progress', 'needs_review'],
    fields: { ...french, slug: null },
  });
  const selector = `/translations?objectType=listing&objectId=${id}&language=fr`;
  const handIn = { as: people.translator, body: { status: 'needs_review' } };
  const handedIn = await call('PATCH', selector, handIn);
  expect(handedIn).toMatchObject({ status: 200, body: { status: 'needs_review', version: 2 } });
  const publish = (etag: string | null) =>
    call('PUT', '/translations', {
      body: { id: made.body.id, status: 'published' },
      headers: { 'if-match': etag ?? '' },
    });
  expect(await publish(made.headers.get('etag'))).toBeRefused(412);
  const published = { status: 200, body: { status: 'published', live: true, version: 3 } };
  expect(await publish(handedIn.headers.get('etag'))).toMatchObject(published);
  const read = await call('GET', `${selector}&fallback=none`, { as: people.dealer });
  expect(read.body).toMatchObject({
    id: made.body.id,
    fields: { title: french.title },
    resolution: { requested: 'fr', matched: 'fr', strategy: 'exact', chain: ['fr'], fallbackUsed: false },
  });
});

test('objects are linked, read as a group and unlinked through REST', async () => {
  const [english, german] = [await car(), await car({ language: 'de' })];
  const as = people.dealer;
  const body = { object: listing(german), relatedTo: listing(english) };
  const linked = await call('POST', '/relations', { as, body });
  expect(linked.status).toBe(201);
  expect(linked.headers.get('location')).toBe(`${root}/relations?groupId=${linked.body.id}`);
  expect(linked.body).toMatchObject({
    objectType: 'listing',
    version: 1,
    source: { objectId: english, language: 'en' },
    members: [
      { language: 'en', object: listing(english), isSource: true, live: true },
      { language: 'de', object: listing(german), isSource: false, origin: 'linked' },
    ],
    missing: ['fr', 'pt-br', 'ar'],
    detached: [],
  });
  expect(linked.body).not.toHaveProperty('created');
  expect((await call('POST', '/relations', { as, body })).status).toBe(200);
  const byObject = `/relations?objectType=listing&objectId=${german}`;
  expect((await call('GET', byObject, { as })).body.id).toBe(linked.body.id);
  const unlink = { as, body: { objectType: 'listing', objectId: german } };
  const removed = { removed: { object: { id: german } }, group: null };
  expect(await call('DELETE', '/relations', unlink)).toMatchObject({ status: 200, body: removed });
  expect(await call('DELETE', byObject, { as })).toBeRefused(404, 'relation_not_found');
});

const ofListing = '/translations?objectType=listing&objectId=x&language=fr';
test.each<[string, string, object | undefined, number, string]>([
  ['GET', '/relations', undefined, 400, 'malformed_request'],
  ['GET', '/relations?groupId=grp_x', undefined, 404, 'relation_not_found'],
  ['GET', ofListing.replace('listing', 'term'), undefined, 400, 'malformed_request'],
  ['GET', ofListing, undefined, 404, 'object_not_found'],
  ['GET', `${ofListing}%20r`, undefined, 400, 'invalid_language'],
  ['GET', `${ofListing}&language=de`, undefined, 400, 'unsupported_parameter'],
  ['DELETE', '/relations', undefined, 400, 'malformed_request'],
  [
    'DELETE',
    '/relations?objectType=listing&objectId=x',
    { objectType: 'listing', objectId: 'y' },
    400,
    'malformed_request',
  ],
  ['PATCH', '/translations?id=trn_x', {}, 422, 'validation_failed'],
  ['PATCH', '/translations?id=trn_x', { fields: { title: 'x' } }, 422, 'unknown_field'],
  ['PATCH', '/translations?id=trn_x', { id: 'trn_y', status: 'draft' }, 400, 'malformed_request'],
  ['PATCH', '/translations?id=trn_x', { status: 'draft' }, 404, 'translation_not_found'],
  ['PUT', '/translations?id=trn_x', { note: 'x' }, 422, 'validation_failed'],
  ['PUT', '/translations', { status: 'draft' }, 400, 'malformed_request'],
])('%s %s %j is refused', async (method, path, body, status, code) => {
  expect(await call(method, path, { body })).toBeRefused(status, code);
});

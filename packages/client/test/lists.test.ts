import type { SeededDealer } from '../../../test/support/seed.ts';
import type { TrigateClient } from '../src/client.ts';
import * as documents from '../src/graphql/documents.generated.ts';
import { type Clients, openClients } from './openClients.ts';

let clients: Clients;
let client: TrigateClient;
let dealer: SeededDealer;
const ids: string[] = [];

beforeAll(async () => {
  clients = await openClients();
  dealer = await clients.shop.dealer();
  for (let index = 0; index < 7; index += 1) ids.push((await dealer.listing({ published: true })).id);
  client = clients.client();
  client.session.adopt({
    access_token: dealer.owner.token,
    token_type: 'Bearer',
    expires_in: 600,
    scope: 'user',
    session_id: dealer.owner.sessionId,
  });
}, 60_000);
afterAll(() => clients.app.close());
beforeEach(() => {
  clients.sent.length = 0;
});

test('a list of the REST style is read to its end, page after page', async () => {
  const found: string[] = [];
  for await (const { id } of client.each('/api/v1/listings', { query: { limit: 3 } })) found.push(id ?? '');
  expect(found.sort()).toEqual([...ids].sort());
  expect(clients.sent).toHaveLength(3);
});

test('who stops reading asks for no further page', async () => {
  for await (const { id } of client.each('/api/v1/listings', { query: { limit: 3 } })) {
    expect(ids).toContain(id);
    break;
  }
  expect(clients.sent).toHaveLength(1);
});

test('a list without pages is one page', async () => {
  const codes: string[] = [];
  for await (const category of client.each('/api/v1/catalog/categories')) codes.push(category.id);
  expect(codes.length).toBeGreaterThan(1);
  expect(clients.sent).toHaveLength(1);
});

test('nodes of a connection are read to their end, of a document of the package and of one’s own', async () => {
  const found: string[] = [];
  const nodes = client.eachNode(documents.listings, { first: 3 }, ({ listings }) => listings);
  for await (const { id } of nodes) found.push(id);
  expect(found.sort()).toEqual([...ids].sort());
  expect(clients.sent).toHaveLength(3);
  interface Titles {
    listings: { nodes: { title: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
  }
  const own =
    'query ($after: String) { listings(first: 4, after: $after) { nodes { title } pageInfo { hasNextPage endCursor } } }';
  const titles: string[] = [];
  for await (const { title } of client.eachNode<Titles, object, { title: string }>(
    own,
    {},
    (one) => one.listings,
  ))
    titles.push(title);
  expect(titles).toHaveLength(7);
});

test('a refusal ends the reading with its problem', async () => {
  const reading = (async () => {
    for await (const entry of client.each('/api/v1/listings', { query: { cursor: 'nonsense' } })) void entry;
  })();
  await expect(reading).rejects.toMatchObject({ status: 400, code: 'invalid_cursor' });
});

import { perFile } from '../../../test/support/stack/lazily.ts';
import type { TrigateClient } from '../src/client.ts';
import * as documents from '../src/graphql/documents.generated.ts';
import { useClients } from './useClients.ts';

const { shop, sent, ...clients } = useClients();
let client: TrigateClient;
const ids: string[] = [];

const dealer = perFile(() => shop.dealer());
beforeAll(async () => {
  for (let index = 0; index < 7; index += 1) ids.push((await dealer.listing({ published: true })).id);
  const { token, sessionId } = dealer.owner;
  client = clients.client();
  client.session.adopt({
    access_token: token,
    token_type: 'Bearer',
    expires_in: 600,
    scope: 'user',
    session_id: sessionId,
  });
});

test('the client reads a list over REST to its end, page by page', async () => {
  const found: string[] = [];
  for await (const { id } of client.each('/api/v1/listings', { query: { limit: 3 } })) found.push(id ?? '');
  expect(found.sort()).toEqual([...ids].sort());
  expect(sent).toHaveLength(3);
});

test('the client requests no further page when the reader stops', async () => {
  for await (const { id } of client.each('/api/v1/listings', { query: { limit: 3 } })) {
    expect(ids).toContain(id);
    break;
  }
  expect(sent).toHaveLength(1);
});

test('the client reads a list without pages as one page', async () => {
  const codes: string[] = [];
  for await (const category of client.each('/api/v1/catalog/categories')) codes.push(category.id);
  expect(codes.length).toBeGreaterThan(1);
  expect(sent).toHaveLength(1);
});

test('the client reads the nodes of a connection to their end, with its own document and with another one', async () => {
  const found: string[] = [];
  const nodes = client.eachNode(documents.listings, { first: 3 }, ({ listings }) => listings);
  for await (const { id } of nodes) found.push(id);
  expect(found.sort()).toEqual([...ids].sort());
  expect(sent).toHaveLength(3);
  interface Titles {
    listings: { nodes: { title: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
  }
  const own =
    'query ($after: String) { listings(first: 4, after: $after) { nodes { title } pageInfo { hasNextPage endCursor } } }';
  const titles: string[] = [];
  const entries = client.eachNode<Titles, object, { title: string }>(own, {}, ({ listings }) => listings);
  for await (const { title } of entries) titles.push(title);
  expect(titles).toHaveLength(7);
});

test('an error ends the iteration over a list with its problem', async () => {
  const reading = (async () => {
    for await (const entry of client.each('/api/v1/listings', { query: { cursor: 'nonsense' } })) void entry;
  })();
  await expect(reading).rejects.toMatchObject({ status: 400, code: 'invalid_cursor' });
});

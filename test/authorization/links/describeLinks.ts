import { getNamedType } from 'graphql';
import mongoose from 'mongoose';
import { inParallel } from '../matrix/runMatrix.ts';
import { objectType } from '../matrix/supergraph.ts';
import type { Item } from '../world/Item.ts';
import { openWorld, type World } from '../world/openWorld.ts';
import type { Who } from '../world/people.ts';
import { type SeenLink, seenLinks, selectLinks } from './selectLinks.ts';

/** A root field under which links are read, with its arguments. */
type Start = readonly [field: string, given: (items: World['items']) => string];
const nothing = () => '';
const of = (argument: string, item: Item) => `(${argument}: "${item.id}")`;

const starts: readonly Start[] = [
  ['me', nothing],
  ['catalogListings', nothing],
  ['catalogCategories', nothing],
  ['listing', ({ garage }) => of('listingId', garage)],
  ['listing', ({ published }) => of('listingId', published)],
  ['listing', (items) => of('listingId', items.private)],
  ['listings', nothing],
  ['adminListings', nothing],
  ['dealer', ({ dealer }) => of('dealerId', dealer)],
  ['dealerMembers', ({ dealer }) => of('dealerId', dealer)],
  ['dealerApiClients', ({ dealer }) => of('dealerId', dealer)],
  ['dealerBalance', ({ dealer }) => of('dealerId', dealer)],
  ['dealerPayouts', ({ dealer }) => of('dealerId', dealer)],
  ['dealerLedgerEntries', ({ dealer }) => of('dealerId', dealer)],
  ['mediaLibrary', nothing],
  ['conversation', ({ thread }) => of('conversationId', thread)],
  ['conversations', nothing],
  ['messages', ({ thread }) => of('conversationId', thread)],
  ['payment', ({ payment }) => of('paymentId', payment)],
  ['payment', ({ paymentPrivate }) => of('paymentId', paymentPrivate)],
  ['payments', nothing],
  ['adminReports', nothing],
  ['myReports', nothing],
  ['mySavedSearches', nothing],
  ['auditEvents', nothing],
  ['relationHealth', nothing],
];

/** How a record is read without a link, by its type. */
const roots: Readonly<Record<string, string>> = {
  Listing: 'query ($id: ID!) { found: listing(listingId: $id) { id state } }',
  Dealer: 'query ($id: ID!) { found: dealer(dealerId: $id) { id state } }',
  Media: 'query ($id: ID!) { found: media(mediaId: $id) { id state } }',
  Payment: 'query ($id: ID!) { found: payment(paymentId: $id) { id state } }',
  Conversation: 'query ($id: ID!) { found: conversation(conversationId: $id) { id state } }',
  CatalogListing: 'query ($id: ID!) { found: catalogListing(listingId: $id) { id } }',
  Page: 'query ($id: String!) { found: page(slug: $id) { id } }',
  CatalogDealer: 'query ($id: ID!) { found: catalogDealer(dealerId: $id) { id } }',
};

/** Types of records whose root field takes an id, by the type of an item. */
const nodeTypes: Readonly<Record<string, string>> = {
  listing: 'Listing',
  dealer: 'Dealer',
  media: 'Media',
  payment: 'Payment',
  conversation: 'Conversation',
  page: 'Page',
};

/** The id of the returned record, or the code of the refusal. A public record that does not exist is null. */
function outcomeOf({ data, errors }: any): string {
  const found = [data?.found].flat()[0];
  return found?.id ?? (errors ? (errors[0].extensions.problem?.code ?? errors[0].message) : 'not_found');
}

/** Declares the tests of all links for these callers: a link is guarded like the root field of its records. */
export function describeLinks(callers: readonly Who[]): void {
  let world: World;
  let links: readonly (SeenLink & { readonly who: Who })[];

  beforeAll(async () => {
    world = await openWorld();
    const { garage, media } = world.items;
    const file = { mediaId: media.id, kind: 'image', altText: null };
    await mongoose.connection
      .collection<{ _id: string }>('listings')
      .updateOne({ _id: garage.id }, { $set: { media: [file] } });
    const cells = callers.flatMap((who) => starts.map((start) => ({ who, start })));
    links = (await inParallel(cells, ({ who, start }) => readLinks(who, start))).flat();
  }, 120_000);
  afterAll(() => world.app.close());

  /** Reads the links below a root field. A refused root field has none. */
  async function readLinks(who: Who, [field, given]: Start): Promise<(typeof links)[number][]> {
    const definition = objectType('Query').getFields()[field];
    const type = objectType(String(definition && getNamedType(definition.type)));
    const query = `{ ${field}${given(world.items)} { ${selectLinks(type)} } }`;
    const { json } = await ask(who, query);
    return seenLinks(type, json.data?.[field]).map((link) => ({ ...link, who }));
  }

  function ask(who: Who, query: string, variables: object = {}) {
    const token = world.tokenOf(who);
    return world.app.send({ method: 'POST', path: '/graphql', token, body: { query, variables } });
  }

  test('a link shows a record exactly to the callers who can read it with its root field', async () => {
    const comparable = [
      ...new Map(links.map((link) => [`${link.who} ${link.type} ${link.id}`, link])).values(),
    ];
    const faults = await inParallel(
      comparable.filter(({ type }) => type in roots),
      async ({ who, type, id }) => {
        const { json } = await ask(who, roots[type] ?? '', { id });
        const isReadable = Boolean(json.data?.found);
        return links
          .filter((link) => link.who === who && link.type === type && link.id === id)
          .filter(({ isShown }) => isShown !== isReadable)
          .map(({ link }) => `${link} · ${id} · ${who}: ${isReadable ? 'is missing' : 'is shown'}`);
      },
    );
    expect(faults.flat()).toEqual([]);
    expect(links.filter(({ isShown }) => isShown).length).toBeGreaterThan(100);
    expect(links.filter(({ isShown }) => !isShown).length).toBeGreaterThan(50);
  });

  test('node and nodes return a record exactly to the callers who can read it with its root field', async () => {
    const items = Object.values(world.items).filter(({ type }) => type in nodeTypes);
    const cells = callers.flatMap((who) => items.map((item) => ({ who, item })));
    const faults = await inParallel(cells, async ({ who, item: { type, id, name } }) => {
      const query = roots[nodeTypes[type] ?? ''] ?? '';
      const [byRoot, byNode, byNodes] = await Promise.all([
        ask(who, query, { id }),
        ask(who, 'query ($id: ID!) { found: node(id: $id) { id } }', { id }),
        ask(who, 'query ($id: ID!) { found: nodes(ids: [$id]) { id } }', { id }),
      ]);
      const expected = outcomeOf(byRoot.json);
      return [outcomeOf(byNode.json), outcomeOf(byNodes.json)]
        .filter((outcome) => outcome !== expected)
        .map((outcome) => `${name} · ${who}: ${outcome} instead of ${expected}`);
    });
    expect(faults.flat()).toEqual([]);
    expect(cells.length).toBeGreaterThan(200);
  });

  test('the callers reach links to every type that has a root field', () => {
    expect([...new Set(links.map(({ type }) => type))]).toEqual(
      expect.arrayContaining(Object.keys(roots).filter((type) => type !== 'Page')),
    );
  });
}

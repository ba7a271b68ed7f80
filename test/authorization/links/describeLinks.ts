import { getNamedType } from 'graphql';
import { inParallel } from '../matrix/runMatrix.ts';
import { objectType } from '../matrix/supergraph.ts';
import { collection } from '../world/collection.ts';
import type { Item } from '../world/Item.ts';
import { openWorld, type World } from '../world/openWorld.ts';
import type { Who } from '../world/people.ts';
import { allLinks, type SeenLink, seenLinks, selectLinks } from './selectLinks.ts';

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
  ['adminListings', () => '(state: [DRAFT, ACTIVE, PAUSED])'],
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
  ['adminPayments', nothing],
  ['failedRefunds', nothing],
  ['payoutsToTransfer', nothing],
  ['relationHealth', nothing],
];

/** Links without a value in the world. The guard of the type decides about them as about the other links to this type. */
const unreached: ReadonlySet<string> = new Set([
  'AuditActor.user',
  'Chargeback.payment',
  'DealerDocument.media',
  'DealerInvitation.inviter',
  'ListingImport.dealer',
  'MediaUse.listing',
  'MediaUse.dealer',
  'Payment.paymentMethod',
  'RelationFinding.group',
  'ReportResolution.resolver',
  'StockImage.media',
]);

/** Types that no other link reads. The matrix of `_entities` or of `node` tests their guard. */
const testedElsewhere: ReadonlySet<string> = new Set(['RelationGroup', 'PaymentMethod']);

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

/** Fills ids that the records of the world leave empty. */
async function fillLinks({ items, ids, shop }: World): Promise<void> {
  const { garage, dealer, media, thread, message, payment, dispute, refund, report, search, payout } = items;
  const until = new Date(Date.now() + 3_600_000);
  await collection('listings').updateOne(
    { _id: garage.id },
    {
      $set: {
        media: [{ mediaId: media.id, kind: 'image', altText: null }],
        reservation: { until, conversationId: thread.id, buyerUserId: ids.buyer, paymentId: payment.id },
        sale: { soldAt: new Date(), channel: 'here', price: null, buyerUserId: ids.buyer },
        'contact.assigneeUserId': ids.agent,
      },
    },
  );
  const pictures = { logoMediaId: media.id, bannerMediaId: media.id };
  await collection('dealers').updateOne({ _id: dealer.id }, { $set: pictures });
  const fill = (name: string, { id }: Item, $set: Record<string, unknown>) =>
    collection(name).updateOne({ _id: id }, { $set });
  await fill('conversations', thread, { listingId: garage.id });
  await fill('messages', message, { conversationId: thread.id, mediaIds: [media.id] });
  const evidence = {
    by: 'payer',
    userId: ids.buyer,
    text: 'See there.',
    mediaIds: [media.id],
    at: new Date(),
  };
  await fill('disputes', dispute, { evidence: [evidence] });
  await fill('refunds', refund, { paymentId: payment.id, disputeId: dispute.id });
  await collection('ledger_transactions').insertOne({
    _id: `entry-of-${payout.id}`,
    installationId: shop.installation.id,
    kind: 'payout',
    source: { type: 'payout', id: payout.id },
    dealerId: dealer.id,
    currency: 'EUR',
    postings: [],
    paymentId: payment.id,
    payoutId: payout.id,
    at: new Date(),
  });
  await fill('reports', report, { reporterId: ids.buyer, reviewedBy: ids.moderator });
  const query = { 'query.categoryId': shop.categories.cars, 'query.dealerIds': [dealer.id] };
  await fill('saved_searches', search, { userId: ids.buyer, ...query });
  await collection('users').updateOne({ _id: ids.owner }, { $set: { avatarMediaId: media.id } });
}

/** Declares the tests of all links for these callers: a link is guarded like the root field of its records. */
export function describeLinks(callers: readonly Who[]): void {
  let world: World;
  let links: readonly (SeenLink & { readonly who: Who })[];

  beforeAll(async () => {
    world = await openWorld();
    await fillLinks(world);
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

  test('every link is read by a caller, or is listed with a type that another link reads', () => {
    const reached = new Set(links.map(({ link }) => link));
    const types = new Set(links.map(({ type }) => type));
    const all = allLinks();
    expect(all.filter(({ link }) => !reached.has(link) && !unreached.has(link))).toEqual([]);
    const listed = all.filter(({ link }) => unreached.has(link));
    expect(listed).toHaveLength(unreached.size);
    expect(listed.filter(({ type }) => !types.has(type) && !testedElsewhere.has(type))).toEqual([]);
  });

  test('the callers reach links to every type that has a root field', () => {
    expect([...new Set(links.map(({ type }) => type))]).toEqual(
      expect.arrayContaining(Object.keys(roots).filter((type) => type !== 'Page')),
    );
  });
}

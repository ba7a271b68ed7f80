import mongoose from 'mongoose';
import { allPages } from '../../../../test/support/allPages.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { indexesOf } from '../../../../test/support/stack/indexesOf.ts';
import { interceptWrites } from '../../../../test/support/stack/interceptWrites.ts';
import type { StartListingImportInput } from '../../identity.generated.ts';
import { recordsOf } from '../listing/fixture/recordsOf.ts';
import { line, linesOf, table } from './fixture/feeds.ts';
import { ImportErrorModel, ListingImportModel } from './model.ts';
import { listingImportsJob } from './startListingImport.ts';

const { market, stack } = product();
const { listings } = recordsOf(market);

const dealer = perTest(() => market.dealer());
afterEach(() => interceptWrites(null));

type Members = Partial<Wire<StartListingImportInput>>;
const start = (content: string, members: Members = {}) =>
  dealer.owner.startListingImport({ dealerId: dealer.id, content, format: 'CSV', ...members });
const runJob = () => stack.runJob(listingImportsJob);
const read = (importId: string) => dealer.owner.listingImport({ dealerId: dealer.id, importId });

/** Imports a feed and returns its outcome. */
async function importFeed(content: string, members: Members = {}) {
  const { listingImport } = await start(content, members);
  expect(listingImport.state).toBe('QUEUED');
  await runJob();
  return read(listingImport.id);
}

const listingsOfDealer = () => listings().find({ 'owner.id': dealer.id });
const stock = async () =>
  Object.fromEntries(
    (await listingsOfDealer()).map(({ stockNumber, state, version }) => [stockNumber, `${state} ${version}`]),
  );
const nothing = { created: 0, updated: 0, unchanged: 0, archived: 0, failed: 0 };

test('an import creates and changes the listings of its rows, and an equal feed changes nothing', async () => {
  const feed = table(line('A1'), line('A2'));
  const first = await importFeed(feed);
  expect(first).toMatchObject({
    state: 'COMPLETED',
    format: 'CSV',
    mode: 'UPSERT',
    dryRun: false,
    totalRows: 2,
    counts: { ...nothing, rows: 2, created: 2 },
    failure: null,
    errors: { nodes: [], pageInfo: { endCursor: null } },
  });
  expect(await stock()).toEqual({ A1: 'active 1', A2: 'active 1' });
  const again = await importFeed(feed);
  expect(again.counts).toEqual({ ...nothing, rows: 2, unchanged: 2 });
  const changed = await importFeed(table(line('A1'), line('A2', 'Another title'), line('A3')));
  expect(changed.counts).toEqual({ ...nothing, rows: 3, created: 1, updated: 1, unchanged: 1 });
  expect(await stock()).toEqual({ A1: 'active 1', A2: 'active 2', A3: 'active 1' });
  const { nodes } = await market.visitor.catalogListings({ dealerId: [dealer.id], q: 'another' });
  expect(nodes).toMatchObject([{ title: 'Another title' }]);
});

test('the imports of a dealer are listed in descending order of creation', async () => {
  const first = await importFeed(table(line('A1')));
  const second = await importFeed(table(line('A2')), { dryRun: true });
  const { owner, id: dealerId } = dealer;
  const newest = await owner.listingImports({ dealerId, first: 1 });
  expect(newest.nodes).toMatchObject([{ id: second.id, dryRun: true, state: 'COMPLETED' }]);
  const { endCursor: after } = newest.pageInfo;
  expect((await owner.listingImports({ dealerId, after })).nodes.map(({ id }) => id)).toEqual([first.id]);
});

test.each<[string, number, object]>([
  ['before its rows', 2, {}],
  ['before its end', 3, { A1: 'active 1' }],
])('a run that loses its import to a later run %s writes nothing more', async (_, takenAt, stocked) => {
  const { listingImport } = await start(table(line('A1')));
  let writes = 0;
  interceptWrites(async (write, proceed) => {
    // The writes are the claim of the import, the count of its rows in their transaction, and the end.
    if (write.startsWith('listing_imports.') && ++writes === takenAt)
      await market
        .records(ListingImportModel)
        .findOneAndUpdate({ _id: listingImport.id }, { $set: { fence: 9 } });
    return proceed();
  });
  await runJob().catch(() => undefined);
  expect(await read(listingImport.id)).toMatchObject({ state: 'RUNNING' });
  expect(await stock()).toEqual(stocked);
  await stack.runJob(listingImportsJob, 9);
  expect(await read(listingImport.id)).toMatchObject({ state: 'COMPLETED' });
  expect(await stock()).toEqual({ A1: 'active 1' });
});

test('an import overwrites a manual change once', async () => {
  const feed = table(line('A1'));
  await importFeed(feed);
  const [{ _id: listingId } = { _id: '' }] = await listingsOfDealer();
  await dealer.owner.updateListing({ listingId, title: 'Changed manually' });
  expect((await importFeed(feed)).counts).toMatchObject({ updated: 1, unchanged: 0 });
  expect((await importFeed(feed)).counts).toMatchObject({ updated: 0, unchanged: 1 });
});

test('an import reports each invalid row with its pointers, and imports the other rows', async () => {
  const feed = table(
    line('A1', 'abc', 'a lot'),
    line('A2'),
    line('A2', 'Once more the same number'),
    'A4,cars',
    line('A5').replace('84000', 'far').replace('diesel', 'steam'),
    line('A 6'),
    line('A7').replace('cars', 'spaceships'),
  );
  const { counts, errors } = await importFeed(feed);
  expect(counts).toEqual({ ...nothing, rows: 7, created: 1, failed: 6 });
  const found = errors.nodes.map(({ row, stockNumber, pointer, code }) => [row, stockNumber, pointer, code]);
  expect(found).toEqual([
    [1, 'A1', '#/price/amount', 'validation_failed'],
    [3, 'A2', '#/stockNumber', 'validation_failed'],
    [4, null, '#', 'validation_failed'],
    [5, 'A5', '#/attributes/mileageKm', 'validation_failed'],
    [5, 'A5', '#/attributes/fuel', 'validation_failed'],
    [6, 'A 6', '#/stockNumber', 'validation_failed'],
    [7, 'A7', '#/category', 'validation_failed'],
  ]);
  expect(await stock()).toEqual({ A2: 'active 1' });
});

test.each(['84.000', '84,000', '84 000'])(
  'a row with the ambiguous mileage "%s" fails, and its error states how to write the number',
  async (mileage) => {
    const feed = table(line('A1').replace('84000', `"${mileage}"`));
    const { counts, errors } = await importFeed(feed);
    expect(counts).toMatchObject({ rows: 1, created: 0, failed: 1 });
    expect(errors.nodes).toMatchObject([
      {
        pointer: '#/attributes/mileageKm',
        detail: 'The value must be a whole number without separators, as in 84000.',
      },
    ]);
  },
);

const errorsAfter = (after: string | null) =>
  `errors(first: 2, after: ${JSON.stringify(after)}) { nodes { row } pageInfo { endCursor } }`;

test('errors of an import are paginated, and a repeated run does not store them again', async () => {
  const { id: importId } = await importFeed(table(...linesOf(5, 'abc')));
  await runJob();
  expect(await market.records(ImportErrorModel).count({ importId })).toBe(5);
  const readPage = async (after: string | null) =>
    (await dealer.owner.listingImport({ dealerId: dealer.id, importId }, errorsAfter(after))).errors;
  expect((await allPages(readPage)).map(({ row }) => row)).toEqual([1, 2, 3, 4, 5]);
});

test('a line of a JSON feed has the format of the body of a single listing', async () => {
  const attributes = { make: 'skoda', features: ['abs', 'isofix'], accidentDamaged: false };
  const car = { category: 'cars', title: 'Skoda Octavia of J1', language: 'pt_BR', condition: 'used' };
  const row = JSON.stringify({ stockNumber: 'J1', ...car, attributes });
  const feed = [row, '{"stockNumber":"J2","titel":"x"}', 'oops'].join('\n');
  const { format, counts, errors } = await importFeed(feed, { format: 'NDJSON' });
  expect([format, counts.created, counts.failed]).toEqual(['NDJSON', 1, 2]);
  expect(errors.nodes).toMatchObject([
    { row: 2, pointer: '#/titel', code: 'unknown_field' },
    { row: 3, pointer: '#', code: 'invalid_json' },
  ]);
  const stored = { state: 'draft', languageTag: 'pt-BR', condition: 'used', attributes };
  expect(await listingsOfDealer()).toMatchObject([stored]);
});

test('a JSON line that is nested 20,000 levels deep fails, and other lines are imported', async () => {
  const deep = `{"stockNumber":"J2","attributes":{"make":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`;
  const car = { category: 'cars', title: 'Skoda Octavia of J1', attributes: { make: 'skoda' } };
  const { state, counts, errors } = await importFeed(
    [JSON.stringify({ stockNumber: 'J1', ...car }), deep].join('\n'),
    { format: 'NDJSON' },
  );
  expect([state, counts.created, counts.failed]).toEqual(['COMPLETED', 1, 1]);
  expect(errors.nodes).toMatchObject([
    {
      row: 2,
      pointer: '#',
      code: 'invalid_json',
      detail: 'The line is nested deeper than 20 levels of lists and objects.',
    },
  ]);
});

test('cells of attributes have the types of the stored category of the listing', async () => {
  await importFeed(table(line('A1')));
  const header = 'stockNumber;attributes.features;attributes.accidentDamaged;attributes.doors';
  const { counts } = await importFeed(`${header}\nA1;abs | isofix;false;4\n`);
  expect(counts.updated).toBe(1);
  const attributes = { features: ['abs', 'isofix'], accidentDamaged: false, doors: 4, make: 'skoda' };
  expect(await listingsOfDealer()).toMatchObject([{ attributes }]);
});

test('a dry run of an import reports the changes and writes nothing', async () => {
  await importFeed(table(...linesOf(4)));
  const before = await stock();
  const feed = table(line('A0'), line('A1', 'Another title'), line('B1'), line('B2', 'abc'), line('A2'));
  const { dryRun, counts } = await importFeed(feed, { mode: 'FULL', dryRun: true });
  expect(dryRun).toBe(true);
  expect(counts).toEqual({ rows: 5, created: 1, updated: 1, unchanged: 2, archived: 1, failed: 1 });
  expect(await stock()).toEqual(before);
});

test('a full feed archives absent listings, except sold, failed or unnumbered ones', async () => {
  await dealer.listing({ published: true });
  await importFeed(table(...linesOf(10)));
  const sold = (await listingsOfDealer()).find(({ stockNumber }) => stockNumber === 'A9');
  await dealer.owner.markListingSold({ listingId: sold?._id ?? '' });
  const feed = table(line('A0', 'abc'), ...linesOf(7).slice(1));
  const { counts } = await importFeed(feed, { mode: 'FULL' });
  expect(counts).toEqual({ ...nothing, rows: 7, unchanged: 6, archived: 2, failed: 1 });
  expect(await stock()).toMatchObject({
    A0: 'active 1',
    A7: 'archived 2',
    A8: 'archived 2',
    A9: 'sold 2',
    null: 'active 2',
  });
  const { nodes } = await market.visitor.catalogListings({ dealerId: [dealer.id], first: 100 });
  expect(nodes).toHaveLength(8);
});

test('a full feed that lacks more than 30 % of the stock fails and changes nothing', async () => {
  await importFeed(table(...linesOf(10)));
  const before = await stock();
  const lines = linesOf(7, 'Another title');
  const { state, failure, counts } = await importFeed(table(...lines.slice(1)), { mode: 'FULL' });
  expect([state, failure?.code, counts.rows]).toEqual(['FAILED', 'too_many_absent', 0]);
  expect(await stock()).toEqual(before);
  const enough = await importFeed(table(...lines), { mode: 'FULL' });
  expect(enough.counts).toMatchObject({ rows: 7, updated: 7, archived: 3 });
});

test('an import publishes events of its listings and of its progress', async () => {
  const { id } = await importFeed(table(line('A1'), line('A2', 'abc')));
  await stack.runJob('identity.relay');
  const [listing] = await listingsOfDealer();
  const events = mongoose.connection.collection('events');
  const eventsOf = (object: string | undefined) =>
    events.find({ 'object.id': object }, { sort: { position: 1 } }).toArray();
  const created = { type: 'object.created', contentVersion: 1, payload: { visibility: 'PUBLIC' } };
  expect(await eventsOf(listing?._id)).toMatchObject([created]);
  expect(listing?.outbox).toBeUndefined();
  const progress = [
    { state: 'queued', counts: { rows: 0 } },
    { state: 'running', counts: { rows: 2 } },
    { state: 'completed', counts: { rows: 2 }, dealerId: dealer.id, totalRows: 2 },
  ];
  expect(await eventsOf(id)).toMatchObject(
    progress.map((payload) => ({ type: 'listing_import.changed', payload })),
  );
});

test('an import of 150 rows costs the same commands as an import of one', async () => {
  const cost = async (lines: string[]) => {
    // This run processes the imports that other tests have left.
    await runJob();
    const idle = (await commandsOf(runJob)).length;
    expect(await start(table(...lines))).not.toBeRefused();
    return (await commandsOf(runJob)).length - idle;
  };
  const one = await cost([line('B1')]);
  expect(await cost(linesOf(150))).toBe(one);
  expect(one).toBeLessThan(40);
});

test('all reads of an import use an index', async () => {
  await importFeed(table(line('A1'), line('A2')));
  // The planner may read all of a few listings. The hint shows whether it can find them by number.
  const index = 'installationId_1_owner.id_1_stockNumber_1';
  const feed = table(line('A1'), line('A3', 'abc'));
  const work = () => importFeed(feed, { mode: 'FULL' });
  const plans = await indexesOf(work, { collection: 'listings', index });
  const own = plans.filter(({ command }) => /listing|feed_uploads|owners|categories/.test(command));
  expect(own.length).toBeGreaterThan(8);
  expect(own.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
  const lookups = own.filter(({ command }) => command === 'find listings');
  expect(lookups.some(({ indexes }) => indexes.includes(index))).toBe(true);
});

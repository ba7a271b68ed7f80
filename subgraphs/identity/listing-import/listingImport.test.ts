import mongoose from 'mongoose';
import { commandsOf } from '../../../test/support/commandsOf.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { openRestStack, type RestAnswer, type RestStack } from '../../../test/support/openRestStack.ts';
import { type SeededDealer, type SeededInstallation, seed, unique } from '../../../test/support/seed.ts';
import { DealerModel } from '../dealer/model.ts';
import { ListingModel } from '../listing/model.ts';
import { buildIdentity } from '../server.ts';
import { FeedUploadModel, ImportErrorModel, ListingImportModel } from './model.ts';
import { listingImportsJob } from './startListingImport.ts';

let rest: RestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
});
afterAll(() => rest.close());

const columns =
  'stockNumber,category,title,description,condition,price.amount,price.currency,location.postalCode,location.city,location.country,attributes.make,attributes.model,attributes.firstRegistration,attributes.mileageKm,attributes.fuel,attributes.transmission,publish';
const line = (number: string, title = `Skoda Octavia ${number}`, price: number | string = 1_245_000) =>
  `${number},cars,${title},One owner and full service history.,used,${price},EUR,10115,Berlin,DE,skoda,octavia,2019-04,84000,diesel,manual,true`;
const table = (...lines: string[]) => [columns, ...lines].join('\n');

interface Feed {
  text?: string;
  query?: string;
  headers?: Record<string, string>;
  token?: string;
}
const post = (dealer: SeededDealer, { text, query = '', headers = {}, token }: Feed) =>
  rest.call('POST', `/api/v1/dealers/${dealer.id}/listing-imports${query}`, {
    token: token ?? dealer.owner.token,
    headers: { 'content-type': 'text/csv', ...headers },
    ...(text === undefined ? {} : { text }),
  });
const show = (dealer: SeededDealer, id: string, query = '') =>
  rest.call('GET', `/api/v1/dealers/${dealer.id}/listing-imports/${id}${query}`, {
    token: dealer.owner.token,
  });

/** Imports a feed and answers how it ended. */
async function take(dealer: SeededDealer, feed: Feed): Promise<RestAnswer['body']> {
  const started = await post(dealer, feed);
  expect([started.status, started.body.state]).toEqual([202, 'queued']);
  await rest.stack.runJob(listingImportsJob);
  return (await show(dealer, started.body.id)).body;
}

const stock = async (dealer: SeededDealer) =>
  Object.fromEntries(
    (await ListingModel.find({ installationId: 'ins_demo', 'owner.id': dealer.id }).lean()).map((listing) => [
      String(listing.stockNumber),
      `${listing.state} ${listing.version}`,
    ]),
  );

test('rows become listings, and the same feed again changes nothing', async () => {
  const dealer = await shop.dealer();
  const feed = { text: table(line('A1'), line('A2')) };
  const first = await take(dealer, feed);
  expect(first).toMatchObject({
    state: 'completed',
    format: 'csv',
    mode: 'upsert',
    dryRun: false,
    totalRows: 2,
    counts: { rows: 2, created: 2, updated: 0, unchanged: 0, archived: 0, failed: 0 },
    failure: null,
    data: [],
    page: { nextCursor: null, limit: 20 },
  });
  expect(Date.parse(first.finishedAt)).toBeGreaterThanOrEqual(Date.parse(first.startedAt));
  expect(await stock(dealer)).toEqual({ A1: 'active 1', A2: 'active 1' });
  const again = await take(dealer, feed);
  expect(again.counts).toEqual({ rows: 2, created: 0, updated: 0, unchanged: 2, archived: 0, failed: 0 });
  const changed = await take(dealer, { text: table(line('A1'), line('A2', 'Another title'), line('A3')) });
  expect(changed.counts).toEqual({ rows: 3, created: 1, updated: 1, unchanged: 1, archived: 0, failed: 0 });
  expect(await stock(dealer)).toEqual({ A1: 'active 1', A2: 'active 2', A3: 'active 1' });
  const seen = await rest.call('GET', `/api/v1/catalog/listings?dealerId=${dealer.id}&q=another`);
  expect(seen.body.data.map(({ title }: { title: string }) => title)).toEqual(['Another title']);
});

test('what somebody changed by hand is brought back by the feed that says otherwise', async () => {
  const dealer = await shop.dealer();
  const feed = { text: table(line('A1')) };
  await take(dealer, feed);
  const [made] = await ListingModel.find({
    installationId: 'ins_demo',
    'owner.id': dealer.id,
  }).lean();
  await rest.call('PATCH', `/api/v1/listings/${made?._id}`, {
    token: dealer.owner.token,
    body: { title: 'Changed by hand' },
  });
  expect((await take(dealer, feed)).counts).toMatchObject({ updated: 1, unchanged: 0 });
  expect((await take(dealer, feed)).counts).toMatchObject({ updated: 0, unchanged: 1 });
});

test('rows that are wrong fail alone, each with every place and code', async () => {
  const dealer = await shop.dealer();
  const text = table(
    line('A1', 'abc', 'a lot'),
    line('A2'),
    line('A2', 'Once more the same number'),
    'A4,cars',
    line('A5').replace('84000', 'far').replace('diesel', 'steam'),
    line('A 6'),
    line('A7').replace('cars', 'spaceships'),
  );
  const ended = await take(dealer, { text });
  expect(ended.counts).toEqual({ rows: 7, created: 1, updated: 0, unchanged: 0, archived: 0, failed: 6 });
  expect(
    ended.data.map(({ row, stockNumber, pointer, code }: Record<string, unknown>) => [
      row,
      stockNumber,
      pointer,
      code,
    ]),
  ).toEqual([
    [1, 'A1', '#/price/amount', 'validation_failed'],
    [3, 'A2', '#/stockNumber', 'validation_failed'],
    [4, null, '#', 'validation_failed'],
    [5, 'A5', '#/attributes/mileageKm', 'validation_failed'],
    [5, 'A5', '#/attributes/fuel', 'validation_failed'],
    [6, 'A 6', '#/stockNumber', 'validation_failed'],
    [7, 'A7', '#/category', 'validation_failed'],
  ]);
  expect(await stock(dealer)).toEqual({ A2: 'active 1' });
});

test('errors come in pages', async () => {
  const dealer = await shop.dealer();
  const { id } = await take(dealer, {
    text: table(...Array.from({ length: 5 }, (_, i) => line(`N${i}`, 'abc'))),
  });
  const rows: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await show(dealer, id, `?limit=2${cursor && `&cursor=${cursor}`}`);
    rows.push(...body.data.map(({ row }: { row: number }) => row));
    cursor = body.page.nextCursor;
  }
  expect(rows).toEqual([1, 2, 3, 4, 5]);
});

test('lines of JSON say what the body of a single listing says', async () => {
  const dealer = await shop.dealer();
  const row = {
    stockNumber: 'J1',
    category: 'cars',
    title: 'Skoda Octavia of J1',
    language: 'pt_BR',
    condition: 'used',
    attributes: { make: 'skoda', features: ['abs', 'isofix'], accidentDamaged: false },
  };
  const text = [JSON.stringify(row), '{"stockNumber":"J2","titel":"x"}', 'oops'].join('\n');
  const ended = await take(dealer, {
    text,
    headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
  });
  expect([ended.format, ended.counts.created, ended.counts.failed]).toEqual(['ndjson', 1, 2]);
  expect(ended.data.map(({ row, pointer, code }: Record<string, unknown>) => [row, pointer, code])).toEqual([
    [2, '#/titel', 'unknown_field'],
    [3, '#', 'invalid_json'],
  ]);
  const [made] = await ListingModel.find({ installationId: 'ins_demo', 'owner.id': dealer.id }).lean();
  expect(made).toMatchObject({
    state: 'draft',
    languageTag: 'pt-BR',
    condition: 'used',
    attributes: row.attributes,
  });
});

test('a list and a boolean of a table are typed by the category, also by that of the listing', async () => {
  const dealer = await shop.dealer();
  await take(dealer, { text: table(line('A1')) });
  const { counts } = await take(dealer, {
    text: 'stockNumber;attributes.features;attributes.accidentDamaged;attributes.doors\nA1;abs | isofix;false;4\n',
  });
  expect(counts.updated).toBe(1);
  const [{ attributes } = { attributes: {} }] = await ListingModel.find({
    installationId: 'ins_demo',
    'owner.id': dealer.id,
  }).lean();
  expect(attributes).toMatchObject({
    features: ['abs', 'isofix'],
    accidentDamaged: false,
    doors: 4,
    make: 'skoda',
  });
});

test('a dry run reports what would be and writes nothing', async () => {
  const dealer = await shop.dealer();
  await take(dealer, { text: table(line('A1'), line('A2'), line('A3'), line('A4')) });
  const before = await stock(dealer);
  const ended = await take(dealer, {
    text: table(line('A1'), line('A2', 'Another title'), line('B1'), line('B2', 'abc'), line('A3')),
    query: '?dryRun=true&mode=full',
  });
  expect(ended).toMatchObject({
    dryRun: true,
    counts: { rows: 5, created: 1, updated: 1, unchanged: 2, archived: 1, failed: 1 },
  });
  expect(await stock(dealer)).toEqual(before);
});

test('a full feed archives what it does not name, but not what has no number, is sold or failed', async () => {
  const dealer = await shop.dealer();
  await dealer.listing({ published: true });
  await take(dealer, { text: table(...Array.from({ length: 10 }, (_, i) => line(`A${i}`))) });
  const numbered = { installationId: 'ins_demo', 'owner.id': dealer.id, stockNumber: 'A9' };
  const [last] = await ListingModel.find(numbered).lean();
  await rest.call('POST', `/api/v1/listings/${last?._id}/mark-sold`, {
    token: dealer.owner.token,
    body: { channel: 'elsewhere' },
  });
  const text = table(line('A0', 'abc'), ...Array.from({ length: 6 }, (_, i) => line(`A${i + 1}`)));
  const ended = await take(dealer, { text, query: '?mode=full' });
  expect(ended.counts).toEqual({ rows: 7, created: 0, updated: 0, unchanged: 6, archived: 2, failed: 1 });
  const after = await stock(dealer);
  expect([after.A0, after.A7, after.A8, after.A9, after.null]).toEqual([
    'active 1',
    'archived 2',
    'archived 2',
    'sold 2',
    'active 2',
  ]);
  const seen = await rest.call('GET', `/api/v1/catalog/listings?dealerId=${dealer.id}&limit=100`);
  expect(seen.body.data).toHaveLength(8);
});

test('a full feed that lacks more than 30 % of the stock is refused before anything is done', async () => {
  const dealer = await shop.dealer();
  await take(dealer, { text: table(...Array.from({ length: 10 }, (_, i) => line(`A${i}`))) });
  const before = await stock(dealer);
  const some = Array.from({ length: 6 }, (_, i) => line(`A${i}`, 'Another title'));
  const ended = await take(dealer, { text: table(...some), query: '?mode=full' });
  expect([ended.state, ended.failure.code, ended.counts.rows]).toEqual(['failed', 'too_many_absent', 0]);
  expect(await stock(dealer)).toEqual(before);
  const enough = await take(dealer, { text: table(...some, line('A6')), query: '?mode=full' });
  expect(enough.counts).toMatchObject({ rows: 7, updated: 6, archived: 3 });
});

test('a dealer has one running import, of however many are started at once', async () => {
  const dealer = await shop.dealer();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => post(dealer, { text: table(line('A1')) })),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    202,
    ...Array.from({ length: 7 }, () => 409),
  ]);
  const started = answers.find(({ status }) => status === 202);
  const refused = answers.find(({ status }) => status === 409);
  expect([refused?.body.code, refused?.body.listingImportId]).toEqual([
    'import_in_progress',
    started?.body.id,
  ]);
  await rest.stack.runJob(listingImportsJob);
  expect((await post(dealer, { text: table(line('A1')) })).status).toBe(202);
  await rest.stack.runJob(listingImportsJob);
});

test('the same key and feed answer again, another feed under the key is refused', async () => {
  const dealer = await shop.dealer();
  const headers = { 'idempotency-key': unique('key') };
  const first = await post(dealer, { text: table(line('A1')), headers });
  const again = await post(dealer, { text: table(line('A1')), headers });
  expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([
    202,
    first.body.id,
    'true',
  ]);
  expect(await FeedUploadModel.countDocuments({ installationId: 'ins_demo', dealerId: dealer.id })).toBe(1);
  const other = await post(dealer, { text: table(line('A2')), headers });
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  await rest.stack.runJob(listingImportsJob);
});

test('a feed may stand in a form, its type told by its name', async () => {
  const dealer = await shop.dealer();
  const form = new FormData();
  form.set('dryRun', 'true');
  form.set('mode', 'full');
  form.set('file', new Blob([table(line('A1'), line('A2'))]), 'stock.csv');
  const response = await fetch(`${rest.origin}/api/v1/dealers/${dealer.id}/listing-imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${dealer.owner.token}` },
    body: form,
  });
  expect([response.status, await response.json()]).toEqual([
    202,
    expect.objectContaining({ format: 'csv', totalRows: 2, mode: 'full', dryRun: true }),
  ]);
  await rest.stack.runJob(listingImportsJob);
  const other = new FormData();
  other.set('file', new Blob(['<cars/>'], { type: 'application/xml' }), 'stock.xml');
  const refused = await fetch(`${rest.origin}/api/v1/dealers/${dealer.id}/listing-imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${dealer.owner.token}` },
    body: other,
  });
  expect(refused.status).toBe(415);
});

test('the bytes of a feed may be put where GraphQL says, and are imported once', async () => {
  const dealer = await shop.dealer();
  const as = { as: dealer.owner.token };
  const opened = await rest.stack.execute(
    `mutation ($input: OpenFeedUploadInput!) { openFeedUpload(input: $input) { uploadToken url maxBytes } }`,
    { input: { dealerId: dealer.id, contentType: 'text/csv' } },
    as,
  );
  const { uploadToken, url, maxBytes } = opened.data?.openFeedUpload ?? {};
  expect(maxBytes).toBe(10 * 1024 * 1024);
  const start = (members: object = {}) =>
    rest.stack.execute(
      `mutation ($input: StartListingImportInput!) { startListingImport(input: $input) { listingImport { id totalRows } } }`,
      { input: { dealerId: dealer.id, uploadToken, ...members } },
      as,
    );
  const early = await start();
  expect(early.errors?.[0]?.message).toBe('No bytes were put under this token.');
  const put = await rest.call('PUT', new URL(url).pathname, {
    text: table(line('A1')),
    headers: { 'content-type': 'text/csv' },
  });
  expect(put.status).toBe(200);
  const other = await shop.dealer();
  const foreign = await rest.stack.execute(
    `mutation ($input: StartListingImportInput!) { startListingImport(input: $input) { listingImport { id } } }`,
    { input: { dealerId: other.id, uploadToken } },
    { as: other.owner.token },
  );
  expect(foreign.errors?.[0]?.message).toMatch(/not good/);
  const idempotencyKey = unique('key');
  const first = await start({ idempotencyKey });
  expect(first.data?.startListingImport.listingImport.totalRows).toBe(1);
  expect((await start({ idempotencyKey })).data).toEqual(first.data);
  await rest.stack.runJob(listingImportsJob);
  expect((await start({ idempotencyKey })).data).toMatchObject(first.data ?? {});
  expect((await start()).errors?.[0]?.message).toMatch(/imported before/);
  expect(await stock(dealer)).toEqual({ A1: 'active 1' });
});

test('what is no feed, too long or too large is refused at once, and leaves no import', async () => {
  const dealer = await shop.dealer();
  const many = table(...Array.from({ length: 5001 }, (_, i) => `A${i}`)).replace(columns, 'stockNumber');
  const answers = [
    await post(dealer, { text: 'titel\nx' }),
    await post(dealer, { text: many }),
    await post(dealer, { text: `stockNumber\n${'x'.repeat(10 * 1024 * 1024)}` }),
    await post(dealer, { text: '<cars/>', headers: { 'content-type': 'application/xml' } }),
    await post(dealer, { text: table(line('A1')), headers: { 'content-type': 'text/csv; charset=utf-16' } }),
    await post(dealer, { text: table(line('A1')), query: '?mode=replace' }),
    await post(dealer, {}),
  ];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [422, 'unknown_field'],
    [422, 'too_many_rows'],
    [413, 'payload_too_large'],
    [415, 'unsupported_media_type'],
    [415, 'unsupported_media_type'],
    [400, 'malformed_request'],
    [400, 'malformed_request'],
  ]);
  expect(await ListingImportModel.countDocuments({ installationId: 'ins_demo', dealerId: dealer.id })).toBe(
    0,
  );
});

test('five thousand rows are one import', async () => {
  const dealer = await shop.dealer();
  const text = table(...Array.from({ length: 5000 }, (_, i) => `A${i}`)).replace(columns, 'stockNumber');
  const ended = await take(dealer, { text });
  expect([ended.state, ended.counts.rows, ended.counts.created]).toEqual(['completed', 5000, 5000]);
}, 60_000);

const openUpload = (dealer: SeededDealer) =>
  rest.stack.execute(
    `mutation ($input: OpenFeedUploadInput!) { openFeedUpload(input: $input) { url } }`,
    { input: { dealerId: dealer.id, contentType: 'text/csv' } },
    { as: dealer.owner.token },
  );

test('bytes that nobody imports are gone after their hour', async () => {
  const dealer = await shop.dealer();
  const { data } = await openUpload(dealer);
  await rest.call('PUT', new URL(data?.openFeedUpload.url).pathname, {
    text: table(line('A1')),
    headers: { 'content-type': 'text/csv' },
  });
  const [upload] = await FeedUploadModel.find({ installationId: 'ins_demo', dealerId: dealer.id }).lean();
  const key = `ins_demo/feeds/${upload?._id}`;
  expect(await rest.stack.platform.storage.exists(key)).toBe(true);
  rest.stack.advance(3_600_001);
  await rest.stack.runJob(listingImportsJob);
  expect(await rest.stack.platform.storage.exists(key)).toBe(false);
  expect(await FeedUploadModel.countDocuments({ installationId: 'ins_demo', dealerId: dealer.id })).toBe(0);
});

test('a feed that cannot be read is gone at once, and only so many wait for their import', async () => {
  const dealer = await shop.dealer();
  expect((await post(dealer, { text: 'titel\nx' })).status).toBe(422);
  expect(await FeedUploadModel.countDocuments({ installationId: 'ins_demo', dealerId: dealer.id })).toBe(0);
  for (let index = 0; index < 20; index += 1) expect((await openUpload(dealer)).errors).toBeUndefined();
  expect((await openUpload(dealer)).errors?.[0]?.extensions.problem).toMatchObject({ code: 'rate_limited' });
});

test.each(['constructor', '__proto__', 'text/xml'])('%s is no type of a feed', async (contentType) => {
  const dealer = await shop.dealer();
  const { errors } = await rest.stack.execute(
    `mutation ($input: OpenFeedUploadInput!) { openFeedUpload(input: $input) { url } }`,
    { input: { dealerId: dealer.id, contentType } },
    { as: dealer.owner.token },
  );
  expect(errors?.[0]?.extensions.problem).toMatchObject({ code: 'unsupported_media_type' });
});

test('in GraphQL a small feed comes along', async () => {
  const dealer = await shop.dealer();
  const start = (input: object) =>
    rest.stack.execute(
      `mutation ($input: StartListingImportInput!) { startListingImport(input: $input) { listingImport { id state format errors { nodes { row } } } } }`,
      { input: { dealerId: dealer.id, ...input } },
      { as: dealer.owner.token },
    );
  const refused = await start({ content: table(line('A1')) });
  expect(refused.errors?.[0]?.extensions.problem).toMatchObject({ errors: [{ pointer: '#/format' }] });
  const none = await start({});
  expect(none.errors?.[0]?.extensions.problem).toMatchObject({ errors: [{ pointer: '#/uploadToken' }] });
  const { data } = await start({ content: table(line('A1')), format: 'CSV' });
  expect(data?.startListingImport.listingImport).toMatchObject({
    state: 'QUEUED',
    format: 'CSV',
    errors: { nodes: [] },
  });
  await rest.stack.runJob(listingImportsJob);
  expect(await stock(dealer)).toEqual({ A1: 'active 1' });
});

test('an import of a dealer that was suspended before it began is canceled', async () => {
  const dealer = await shop.dealer();
  const { body } = await post(dealer, { text: table(line('A1')) });
  const filter = { _id: dealer.id, installationId: 'ins_demo' };
  await DealerModel.updateOne(filter, { $set: { state: 'suspended' } });
  await rest.stack.runJob(listingImportsJob);
  const ended = await ListingImportModel.findOne({ _id: body.id, installationId: 'ins_demo' }).lean();
  expect([ended?.state, ended?.failure?.code]).toEqual(['canceled', 'dealer_not_active']);
  expect(await stock(dealer)).toEqual({});
});

test('an import of another dealer does not exist here', async () => {
  const [one, other] = [await shop.dealer(), await shop.dealer()];
  const { id } = await take(one, { text: table(line('A1')) });
  const answer = await show(other, id);
  expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
});

test('errors are counted and stored once, also by a run that is repeated', async () => {
  const dealer = await shop.dealer();
  const { id } = await take(dealer, { text: table(line('A1', 'abc'), line('A2', 'abc')) });
  await rest.stack.runJob(listingImportsJob);
  expect(await ImportErrorModel.countDocuments({ installationId: 'ins_demo', importId: id })).toBe(2);
});

test('others are told of the listings, and of how far the import is', async () => {
  const dealer = await shop.dealer();
  const { id } = await take(dealer, { text: table(line('A1'), line('A2', 'abc')) });
  await rest.stack.runJob('identity.relay');
  const [made] = await ListingModel.find({ installationId: 'ins_demo', 'owner.id': dealer.id }).lean();
  const told = async (object: string | undefined) =>
    mongoose.connection
      .collection('events')
      .find({ 'object.id': object }, { sort: { position: 1 } })
      .toArray();
  const [first, ...others] = await told(made?._id);
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    type: 'object.created',
    contentVersion: 1,
    payload: { visibility: 'PUBLIC' },
  });
  expect(made?.outbox).toBeUndefined();
  const progress = await told(id);
  expect(progress.map(({ type, payload }) => [type, payload.state, payload.counts.rows])).toEqual([
    ['listing_import.changed', 'queued', 0],
    ['listing_import.changed', 'running', 2],
    ['listing_import.changed', 'completed', 2],
  ]);
  expect(progress.at(-1)?.payload).toMatchObject({ dealerId: dealer.id, totalRows: 2 });
});

test('a batch costs a few commands, however many rows it has', async () => {
  const dealer = await shop.dealer();
  const cost = async (count: number, prefix: string) => {
    const rows = Array.from({ length: count }, (_, index) => line(`${prefix}${index}`));
    const { status } = await post(dealer, { text: table(...rows) });
    expect(status).toBe(202);
    return (await commandsOf(() => rest.stack.runJob(listingImportsJob))).length;
  };
  const one = await cost(1, 'A');
  expect(await cost(150, 'B')).toBe(one);
  expect(one).toBeLessThan(40);
});

test('whatever an import reads it reads through an index', async () => {
  const dealer = await shop.dealer();
  await take(dealer, { text: table(line('A1'), line('A2')) });
  // Of so little a planner may read all that the dealer has; whether it can look numbers up is the question.
  const index = 'installationId_1_owner.id_1_stockNumber_1';
  const plans = await indexesOf(
    async () => {
      const started = await post(dealer, { text: table(line('A1'), line('A3', 'abc')), query: '?mode=full' });
      await rest.stack.runJob(listingImportsJob);
      await show(dealer, started.body.id);
    },
    { collection: 'listings', index },
  );
  const own = plans.filter(({ command }) => /listing|feed_uploads|owners|categories/.test(command));
  expect(own.length).toBeGreaterThan(8);
  expect(own.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
  const byNumber = own.filter(
    ({ command, indexes }) => command === 'find listings' && indexes.includes(index),
  );
  expect(byNumber.length).toBeGreaterThan(0);
});

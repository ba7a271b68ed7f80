import { concurrently } from '../../../../test/support/concurrently.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { unique } from '../../../../test/support/seed.ts';
import type { StartListingImportInput } from '../../identity.generated.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { recordsOf } from '../listing/fixture/recordsOf.ts';
import { line, numbersOnly, table } from './fixture/feeds.ts';
import { FeedUploadModel, ListingImportModel } from './model.ts';
import { listingImportsJob } from './startListingImport.ts';

const { market, stack } = product();

const dealer = perTest(() => market.dealer());

type Members = Partial<Wire<StartListingImportInput>>;
const start = (content: string, members: Members = {}) =>
  dealer.owner.startListingImport({ dealerId: dealer.id, content, format: 'CSV', ...members });
const runJob = () => stack.runJob(listingImportsJob);
/** Posts a feed over REST. */
const post = (text: string | undefined, headers: Record<string, string> = {}, query = '') =>
  dealer.owner.rest('POST', `/api/v1/dealers/${dealer.id}/listing-imports${query}`, {
    headers: { 'content-type': 'text/csv', ...headers },
    ...(text !== undefined && { text }),
  });
const putBytes = (url: string, text: string) =>
  market.visitor.rest('PUT', new URL(url).pathname, { text, headers: { 'content-type': 'text/csv' } });
const openUpload = (contentType = 'text/csv') =>
  dealer.owner.openFeedUpload({ dealerId: dealer.id, contentType });
const stockNumbers = async () => {
  const records = await recordsOf(market).listings().find({ 'owner.id': dealer.id });
  return records.map(({ stockNumber }) => stockNumber);
};
const imports = () => market.records(ListingImportModel);
const uploads = () => market.records(FeedUploadModel);
const uploadsOfDealer = () => uploads().count({ dealerId: dealer.id });

test('one of eight concurrent imports of a dealer starts, and the others are refused', async () => {
  const answers = await concurrently(8, () => start(table(line('A1'))));
  const refused = answers.filter(isRefused);
  expect(refused).toHaveLength(7);
  const running = answers.find((answer) => !isRefused(answer))?.listingImport;
  for (const answer of refused)
    expect(answer).toBeRefused(409, 'import_in_progress', { listingImportId: running?.id });
  await runJob();
  expect(await start(table(line('A1')))).not.toBeRefused();
});

test('a repeated request with an idempotency key stores its feed once', async () => {
  const headers = { 'idempotency-key': unique('key') };
  for (let turn = 0; turn < 2; turn += 1) expect((await post(table(line('A1')), headers)).status).toBe(202);
  expect(await uploadsOfDealer()).toBe(1);
});

test('the response to a feed has the address of the import, where its progress is read', async () => {
  const { headers, body } = await post(table(line('A1')));
  const address = `/api/v1/dealers/${dealer.id}/listing-imports/${body.id}`;
  expect(headers.get('location')).toBe(address);
  expect(await dealer.owner.rest('GET', address)).toMatchObject({ status: 200, body: { id: body.id } });
});

test('the format of a feed follows from its media type', async () => {
  const answer = await post('{"stockNumber":"J1"}', {
    'content-type': 'application/x-ndjson; charset=utf-8',
  });
  expect(answer).toMatchObject({ status: 202, body: { format: 'ndjson', totalRows: 1 } });
});

test('the format of a feed in a form follows from the name of the file', async () => {
  const form = new FormData();
  form.set('dryRun', 'true');
  form.set('mode', 'full');
  form.set('file', new Blob([table(line('A1'), line('A2'))]), 'stock.csv');
  const path = `/api/v1/dealers/${dealer.id}/listing-imports`;
  const expected = { format: 'csv', totalRows: 2, mode: 'full', dryRun: true };
  expect(await dealer.owner.rest('POST', path, { body: form })).toMatchObject({
    status: 202,
    body: expected,
  });
  const other = new FormData();
  other.set('file', new Blob(['<cars/>'], { type: 'application/xml' }), 'stock.xml');
  expect(await dealer.owner.rest('POST', path, { body: other })).toBeRefused(415);
});

test('an upload can be imported once, and only by its dealer', async () => {
  const { uploadToken, url, maxBytes } = await openUpload();
  expect(maxBytes).toBe(10 * 1024 * 1024);
  const begin = (members: object = {}, { id: dealerId, owner } = dealer) =>
    owner.startListingImport({ dealerId, uploadToken, ...members });
  const refusal = (detail: string) =>
    [422, 'validation_failed', { errors: [{ detail: expect.stringContaining(detail) }] }] as const;
  expect(await begin()).toBeRefused(...refusal('No feed was uploaded with this token.'));
  expect((await putBytes(url, table(line('A1')))).status).toBe(200);
  expect(await begin({}, await market.dealer())).toBeRefused(...refusal('invalid or has expired'));
  const idempotencyKey = unique('key');
  const first = await begin({ idempotencyKey });
  expect(first.listingImport.totalRows).toBe(1);
  await runJob();
  expect(await begin({ idempotencyKey })).toMatchObject({ listingImport: { id: first.listingImport.id } });
  expect(await begin()).toBeRefused(...refusal('already imported'));
  expect(await stockNumbers()).toEqual(['A1']);
});

const wide = `stockNumber\n${'x'.repeat(10 * 1024 * 1024)}`;

test.each<[string, string | undefined, Record<string, string>, string, number, string]>([
  ['with an unknown column', 'titel\nx', {}, '', 422, 'unknown_field'],
  ['of 5001 rows', numbersOnly(5001), {}, '', 422, 'too_many_rows'],
  ['of more than 10 MiB', wide, {}, '', 413, 'payload_too_large'],
  ['in XML', '<cars/>', { 'content-type': 'application/xml' }, '', 415, 'unsupported_media_type'],
  ['in UTF-16', 'x', { 'content-type': 'text/csv; charset=utf-16' }, '', 415, 'unsupported_media_type'],
  ['in an unknown mode', table(line('A1')), {}, '?mode=replace', 400, 'malformed_request'],
  ['without bytes', undefined, {}, '', 400, 'malformed_request'],
])('a feed %s is refused and leaves no import', async (_, text, headers, query, status, code) => {
  expect(await post(text, headers, query)).toBeRefused(status, code);
  expect(await imports().count({ dealerId: dealer.id })).toBe(0);
  expect(await uploadsOfDealer()).toBe(0);
});

test('an upload that is not imported is deleted after an hour', async () => {
  await putBytes((await openUpload()).url, table(line('A1')));
  const [upload] = await uploads().find({ dealerId: dealer.id });
  const key = `${market.installation.id}/feeds/${upload?._id}`;
  const { storage } = stack.platform;
  expect(await storage.exists(key)).toBe(true);
  stack.advance(3_600_001);
  await runJob();
  expect(await storage.exists(key)).toBe(false);
  expect(await uploadsOfDealer()).toBe(0);
});

test('the twenty-first open upload of a dealer is refused', async () => {
  for (let index = 0; index < 20; index += 1) expect(await openUpload()).not.toBeRefused();
  expect(await openUpload()).toBeRefused(429, 'rate_limited');
});

test.each(['constructor', '__proto__', 'text/xml'])('an upload of type %s is refused', async (type) => {
  expect(await openUpload(type)).toBeRefused(415, 'unsupported_media_type');
});

test('an import without an upload, or with content and no format, is refused', async () => {
  const { id: dealerId, owner } = dealer;
  const invalid = (pointer: string) => [422, 'validation_failed', { errors: [{ pointer }] }] as const;
  expect(await start(table(line('A1')), { format: null })).toBeRefused(...invalid('#/format'));
  expect(await owner.startListingImport({ dealerId })).toBeRefused(...invalid('#/uploadToken'));
});

test('an import is canceled if its dealer is suspended before it begins', async () => {
  const { listingImport } = await start(table(line('A1')));
  const dealers = market.records(DealerModel);
  await dealers.findOneAndUpdate({ _id: dealer.id }, { $set: { state: 'suspended' } });
  await runJob();
  const canceled = { state: 'canceled', failure: { code: 'dealer_not_active' } };
  expect(await imports().findOne({ _id: listingImport.id })).toMatchObject(canceled);
  expect(await stockNumbers()).toEqual([]);
});

test('an import of another dealer is not found', async () => {
  const { listingImport } = await start(table(line('A1')));
  const importId = listingImport.id;
  const { id: dealerId, owner } = await market.dealer();
  expect(await owner.listingImport({ dealerId, importId })).toBeRefused(404, 'not_found');
});

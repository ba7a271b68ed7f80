import { createNeighbour } from '../../../test/support/createNeighbour.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import { EventModel } from '../../platform/events/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { countCommands } from '../../platform/mongo/countCommands.ts';
import { analyze } from '../engine/analyze.ts';
import type { StoredSeoRecord } from '../record/model.ts';
import { findRecordById } from '../record/records.ts';
import { buildSeo } from '../server.ts';
import { SnapshotModel } from './model.ts';
import { storeSnapshots } from './storeSnapshots.ts';

const neighbour = createNeighbour();
let stack: TestStack;
let seller: SignedIn;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo], askOwner: neighbour.askOwner });
  seller = await stack.signIn();
});
afterAll(() => stack.close());

const snapshot = `id contentVersion source createdAt createdBy { id } stale ruleset inputHash profile
  record { id revision latestAnalysis { id } } scores { seo { value } } checks { id rating }`;

function refresh(object: object, options: object = {}, as: SignedIn | null = seller) {
  return stack.execute(
    `mutation ($input: SeoRefreshInput!) { seoRefresh(input: $input) {
      changed previous { id } current { ${snapshot} } scoreDelta improved regressed indexed { links keyphrase } } }`,
    { input: { object, ...options } },
    { as },
  );
}

async function refreshed(object: object, options: object = {}) {
  const { data, errors } = await refresh(object, options);
  expect(errors).toBeUndefined();
  return data?.seoRefresh;
}

function save(object: object, changes: object) {
  return stack.execute(
    'mutation ($input: UpdateSeoRecordInput!) { updateSeoRecord(input: $input) { record { revision } } }',
    { input: { object, ...changes } },
    { as: seller },
  );
}

/** A listing in the neighbour's table; put again with the same id, it is a later version of the same one. */
function putListing({
  id = newId('listing'),
  ownerId = seller.id,
  installationId = stack.demo.id,
  contentVersion = 1,
  html = '<p>A tyre for winter roads that was tested by many drivers.</p>',
} = {}) {
  neighbour.put({
    type: 'Listing',
    id,
    installationId,
    ownerId,
    contentVersion,
    content: {
      languageTag: 'en',
      visibility: 'PRIVATE',
      url: null,
      slug: null,
      title: 'Tyre',
      html,
      fields: {},
    },
  });
  return { type: 'LISTING', id };
}

function storedFor({ id }: { id: string }) {
  return SnapshotModel.countDocuments({ installationId: stack.demo.id, objectId: id });
}

test('a first refresh stores an analysis of the saved text and says whose it is', async () => {
  const object = putListing();
  const result = await refreshed(object);
  expect(result).toMatchObject({
    changed: true,
    previous: null,
    scoreDelta: null,
    improved: [],
    regressed: [],
    current: {
      contentVersion: '1',
      source: 'REFRESH',
      stale: false,
      profile: 'PRODUCT',
      createdBy: { id: seller.id },
      record: { revision: 0 },
    },
  });
  expect(result.current.record.latestAnalysis.id).toBe(result.current.id);
});

test('a refresh of unchanged text, fields and ruleset stores nothing and computes nothing', async () => {
  const object = putListing();
  const first = await refreshed(object);
  const { result, commands } = await countCommands(() => refreshed(object));
  expect(result).toMatchObject({ changed: false, current: { id: first.current.id }, scoreDelta: 0 });
  expect(result.previous.id).toBe(first.current.id);
  expect(await storedFor(object)).toBe(1);
  expect(commands.filter((name) => !name.startsWith('find') && name.includes(' seo_'))).toEqual([]);
});

test('a later text is analysed, and what got better or worse is named', async () => {
  const object = putListing();
  const first = await refreshed(object);
  const picture = '<img src="tyre.jpg" alt="A tyre">';
  putListing({
    ...object,
    contentVersion: 2,
    html: `<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit sed do.</p>${picture}`,
  });
  const second = await refreshed(object);
  expect(second).toMatchObject({ changed: true, previous: { id: first.current.id } });
  expect(second.improved).toContain('images.present');
  expect(second.regressed).toContain('content.placeholder');
  expect(second.scoreDelta).toBe(second.current.scores.seo.value - first.current.scores.seo.value);
});

test('changed SEO fields are a reason to store, and make the stored analysis stale until then', async () => {
  const object = putListing();
  const first = await refreshed(object);
  await save(object, { keyphrase: 'tyre' });
  const read = () =>
    stack.execute(
      'query ($object: SeoObjectRef!) { seoRecord(object: $object) { latestAnalysis { id stale } } }',
      { object },
      { as: seller },
    );
  expect((await read()).data?.seoRecord.latestAnalysis).toEqual({ id: first.current.id, stale: true });
  const second = await refreshed(object);
  expect(second.changed).toBe(true);
  expect((await read()).data?.seoRecord.latestAnalysis).toEqual({ id: second.current.id, stale: false });
});

test('force stores again what did not change, with the same content', async () => {
  const object = putListing();
  const first = await refreshed(object);
  const second = await refreshed(object, { force: true });
  const third = await refreshed(object, { force: true });
  expect([second.changed, third.changed]).toEqual([true, true]);
  expect(new Set([first, second, third].map(({ current }) => current.id)).size).toBe(3);
  expect(new Set([first, second, third].map(({ current }) => JSON.stringify(current.checks))).size).toBe(1);
  expect(await storedFor(object)).toBe(3);
});

test('refreshes that run at once store one analysis', async () => {
  const object = putListing();
  await refreshed(object);
  putListing({ ...object, contentVersion: 2, html: '<p>Another tyre.</p>' });
  const results = await Promise.all(Array.from({ length: 5 }, () => refreshed(object)));
  expect(await storedFor(object)).toBe(2);
  expect(new Set(results.map(({ current }) => current.id)).size).toBe(1);
});

test('forced refreshes that saw the same newest analysis store one more', async () => {
  const object = putListing();
  const { current } = await refreshed(object);
  const context = stack.contextFor({ as: seller });
  await context.identify();
  const record = await findRecordById(context, current.record.id);
  const basis = {
    textId: null,
    contentVersion: 1,
    recordRevision: 0,
    ruleset: current.ruleset,
    repetition: 1,
  };
  const analysis = analyze({ content: '<p>A tyre.</p>' });
  const analysed = { record: record as StoredSeoRecord, basis, source: 'refresh' as const, analysis };
  const stored = await Promise.all(Array.from({ length: 5 }, () => storeSnapshots(context, [analysed])));
  expect(new Set(stored.flat().map(({ _id }) => _id)).size).toBe(1);
  expect(await storedFor(object)).toBe(2);
});

test('first refreshes that run at once make one record with one analysis', async () => {
  const object = putListing();
  const results = await Promise.all(Array.from({ length: 5 }, () => refreshed(object)));
  expect(new Set(results.map(({ current }) => `${current.record.id} ${current.id}`)).size).toBe(1);
});

test('a refresh says what others are compared with', async () => {
  const object = putListing();
  expect((await refreshed(object)).indexed).toEqual({ links: 0, keyphrase: false });
  await save(object, { keyphrase: 'winter tyre' });
  const { content, ...known } = neighbour.get(object.id);
  const html = '<p><a href="/a">One</a> <a href="/b">two</a> <a href="https://b.example">out</a></p>';
  neighbour.put({ ...known, contentVersion: 2, content: { ...content, url: 'https://a.example/x', html } });
  expect((await refreshed(object)).indexed).toEqual({ links: 2, keyphrase: true });
});

test('others are told of each stored analysis once, and of none that was there before', async () => {
  const object = putListing();
  await Promise.all([refreshed(object), refreshed(object)]);
  const { current } = await refreshed(object);
  const { current: forced } = await refreshed(object, { force: true });
  await stack.runJob('seo.relay');
  const told = await EventModel.find({ 'object.id': current.record.id }).sort({ position: 1 }).lean();
  expect(
    told.map(({ type, object: { type: about }, contentVersion }) => [type, about, contentVersion]),
  ).toEqual([
    ['seo.snapshot.created', 'seo_record', 1],
    ['seo.snapshot.created', 'seo_record', 1],
  ]);
  const [first, second] = told.map(({ payload }) => payload as unknown as Record<string, unknown>);
  expect(first).toEqual({
    snapshotId: current.id,
    objectType: 'listing',
    objectId: object.id,
    source: 'refresh',
    ruleset: current.ruleset,
    contentVersion: 1,
    score: current.scores.seo.value,
    rating: expect.stringMatching(/^(good|ok|bad)$/),
    createdBy: seller.id,
  });
  expect(second).toMatchObject({ snapshotId: forced.id });
});

test('a refresh of a version the caller has not seen is a conflict and stores nothing', async () => {
  const object = putListing({ contentVersion: 7 });
  expect(problemOf(await refresh(object, { ifContentVersion: '6' }))).toMatchObject({
    status: 409,
    code: 'seo_content_version_conflict',
    contentVersion: '7',
  });
  expect(await storedFor(object)).toBe(0);
  expect((await refreshed(object, { ifContentVersion: '7' })).changed).toBe(true);
});

test('a text of another language is not analysed', async () => {
  expect(problemOf(await refresh(putListing(), { locale: 'fr' }))).toMatchObject({
    status: 422,
    code: 'seo_no_content_in_language',
  });
});

test('a long saved text is analysed on a thread and too long a one is refused', async () => {
  const sentence = 'This tyre was made for winter roads. ';
  const long = putListing({ html: `<p>${sentence.repeat(500)}</p>` });
  expect((await refreshed(long)).current.scores.seo.value).toBeGreaterThan(0);
  const tooLong = putListing({ html: `<p>${'a '.repeat(60_001)}</p>` });
  expect(problemOf(await refresh(tooLong))).toMatchObject({ status: 413, code: 'payload_too_large' });
  expect(await storedFor(tooLong)).toBe(0);
});

test('of many analyses the last 20 stay', async () => {
  const object = putListing();
  await refreshed(object);
  for (let run = 0; run < 24; run += 1) await refreshed(object, { force: true });
  // The 20 newest and the last one of this month among the older ones.
  expect(await storedFor(object)).toBe(21);
});

test('a refresh needs a token, the permission and the object', async () => {
  const buyer = await stack.signIn({ roles: ['buyer'] });
  const foreign = putListing({ ownerId: newId('user') });
  const elsewhere = putListing({ installationId: stack.other.id });
  const editor = await stack.signIn({ roles: ['editor'] });
  const cases = [
    [refresh(putListing(), {}, null), 'token_missing'],
    [refresh(putListing(), {}, buyer), 'permission_required'],
    [refresh(foreign), 'ownership_required'],
    [refresh(elsewhere, {}, editor), 'not_found'],
    [refresh({ type: 'LISTING', id: 'lst_none' }), 'not_found'],
  ] as const;
  for (const [result, code] of cases) expect(problemOf(await result).code).toBe(code);
  expect((await refresh(foreign, {}, editor)).errors).toBeUndefined();
});

import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { EventModel } from '../../../platform/events/model.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { analyze } from '../../engine/analyze.ts';
import { engineVersion } from '../../engine/engineVersion.ts';
import { createPage } from '../../fixture/createPage.ts';
import { type LatestSnapshot, SeoRecordModel, type StoredSeoRecord } from '../../pages/record/model.ts';
import { findRecordById } from '../../pages/record/records.ts';
import type { SeoRefreshInput } from '../../seo.generated.ts';
import { SnapshotModel, type StoredSnapshot } from './model.ts';
import { type Basis, storeSnapshots } from './storeSnapshots.ts';

const world = product();
const { market } = world;
let editor: SeededUser;
let object: Awaited<ReturnType<typeof createPage>>;
beforeAll(async () => {
  editor = await market.staff('editor');
});
beforeEach(async () => {
  object = await createPage(editor);
});

const refresh = (input: Partial<Wire<SeoRefreshInput>> = {}) => editor.seoRefresh({ object, ...input });
const write = (html: string, pageId = object.id) => editor.updatePage({ pageId, html });
const countStored = () => scoped(SnapshotModel, market.installation.id).count({ objectId: object.id });

test('a first refresh stores an analysis of the saved text with its author', async () => {
  const { current, ...change } = await refresh();
  expect(change).toMatchObject({ changed: true, previous: null, scoreDelta: null });
  expect(change).toMatchObject({ improved: [], regressed: [] });
  expect(current).toMatchObject({
    contentVersion: '1',
    source: 'REFRESH',
    stale: false,
    profile: 'ARTICLE',
    createdBy: { id: editor.id },
  });
  const record = await editor.seoRecord({ object }, 'id revision latestAnalysis { id }');
  expect(record).toEqual({ id: current.record.id, revision: 0, latestAnalysis: { id: current.id } });
});

test('a refresh of unchanged text, fields and ruleset stores nothing and computes nothing', async () => {
  const first = await refresh();
  const commands = await commandsOf(async () => {
    const same = { id: first.current.id };
    expect(await refresh()).toMatchObject({ changed: false, current: same, previous: same, scoreDelta: 0 });
  });
  expect(commands.filter((name) => !name.startsWith('find') && name.includes(' seo_'))).toEqual([]);
  expect(await countStored()).toBe(1);
});

test('a refresh of a changed text names the checks that improved and regressed', async () => {
  const first = await refresh();
  await write(
    '<p>Lorem ipsum dolor sit amet, <a href="https://example.org/">consectetur</a> adipiscing elit sed do.</p>',
  );
  const second = await refresh();
  expect(second).toMatchObject({ changed: true, previous: { id: first.current.id } });
  expect(second.improved).toContain('links.outbound');
  expect(second.regressed).toContain('content.placeholder');
  const [before, after] = [first, second].map(({ current }) => current.scores.seo.value ?? 0);
  expect(second.scoreDelta).toBe(Number(after) - Number(before));
});

test('changed SEO fields make the stored analysis stale until a refresh', async () => {
  const first = await refresh();
  await editor.updateSeoRecord({ object, keyphrase: 'tyre' });
  const readLatest = () => editor.seoLatestAnalysis({ object }, 'id stale');
  expect(await readLatest()).toEqual({ id: first.current.id, stale: true });
  const second = await refresh();
  expect(second.changed).toBe(true);
  expect(await readLatest()).toEqual({ id: second.current.id, stale: false });
});

/** The stored analyses are those of a release before this one. */
const outdateEngine = (changes: Partial<StoredSnapshot> = {}) =>
  market
    .records(SnapshotModel)
    .updateMany({ objectId: object.id }, { $set: { engineVersion: '1.0.0', ...changes } });

test('an analysis of an earlier engine is stale, and a refresh replaces it', async () => {
  const first = await refresh();
  await outdateEngine();
  const readLatest = () => editor.seoLatestAnalysis({ object }, 'id stale');
  expect(await readLatest()).toEqual({ id: first.current.id, stale: true });
  const second = await refresh();
  expect(second).toMatchObject({ changed: true, previous: { id: first.current.id } });
  expect(await readLatest()).toEqual({ id: second.current.id, stale: false });
  expect(await refresh()).toMatchObject({ changed: false, current: { id: second.current.id } });
  expect(await countStored()).toBe(2);
});

test('recommendations follow from an analysis of this engine, not from a stored one of an earlier engine', async () => {
  await refresh();
  const read = () => editor.seoRecommendations({ object }, 'items { checkIds }');
  const expected = await read();
  await outdateEngine({ checks: [] });
  expect(await read()).toEqual(expected);
  expect(expected.items).not.toEqual([]);
});

test('a forced refresh stores the same content once more', async () => {
  const results = [await refresh(), await refresh({ force: true }), await refresh({ force: true })];
  expect(results.map(({ changed }) => changed)).toEqual([true, true, true]);
  expect(new Set(results.map(({ current }) => current.id)).size).toBe(3);
  expect(new Set(results.map(({ current }) => JSON.stringify(current.checks))).size).toBe(1);
  expect(await countStored()).toBe(3);
});

test.each([
  ['first', 0],
  ['later', 1],
])('concurrent %s refreshes store one analysis of one record', async (_, before) => {
  if (before > 0) {
    await refresh();
    await write('<p>Another tyre.</p>');
  }
  const results = await Promise.all(Array.from({ length: 5 }, () => refresh()));
  expect(new Set(results.map(({ current }) => `${current.record.id} ${current.id}`)).size).toBe(1);
  expect(await countStored()).toBe(before + 1);
});

/** Stores an analysis of the record, in as many concurrent requests; returns the distinct ids. */
async function storeAlso(
  recordId: string,
  { engineVersion: engine = engineVersion, ...changes }: Partial<Basis> & { engineVersion?: string },
  times = 5,
) {
  const context = world.stack.contextFor({ as: editor.token, installation: market.installation });
  await context.identify();
  const record = (await findRecordById(context, recordId)) as StoredSeoRecord;
  const { snapshotId: _, ...latest } = record.latest as LatestSnapshot;
  const basis = { ...latest, ...changes };
  const analysis = { ...analyze({ content: '<p>A tyre.</p>' }), engineVersion: engine };
  const analysed = { record, basis, source: 'refresh' as const, analysis };
  const stored = await Promise.all(Array.from({ length: times }, () => storeSnapshots(context, [analysed])));
  return [...new Set(stored.flat().map(({ _id }) => _id))];
}

test.each([
  { textId: 'trn_1' },
  { contentVersion: 2 },
  { recordRevision: 1 },
  { ruleset: '2026.1+7' },
  { repetition: 1 },
  { engineVersion: '9.0.0' },
])('concurrent analyses that differ in %j from the latest one are stored once', async (changes) => {
  const { current } = await refresh();
  const ids = await storeAlso(current.record.id, changes);
  expect(ids).toEqual([expect.stringMatching(/^snap_[0-9A-Z]{26}$/)]);
  expect(ids).not.toContain(current.id);
  expect(await countStored()).toBe(2);
});

test('an analysis that is stored already is returned and not stored again', async () => {
  const { current } = await refresh();
  expect(await storeAlso(current.record.id, {})).toEqual([current.id]);
  expect(await countStored()).toBe(1);
});

test('an analysis with a random id, as earlier releases stored it, is read and not repeated', async () => {
  const { current } = await refresh();
  const earlierId = newId('seoSnapshot');
  const ofRecord = { _id: current.record.id };
  const { _id, ...stored } = (await market
    .records(SnapshotModel)
    .findOne({ _id: current.id })) as StoredSnapshot;
  await market.records(SnapshotModel).deleteMany({ _id });
  await market.records(SnapshotModel).insert({ ...stored, _id: earlierId });
  await market.records(SeoRecordModel).updateMany(ofRecord, { $set: { 'latest.snapshotId': earlierId } });
  expect(await refresh()).toMatchObject({ changed: false, current: { id: earlierId, stale: false } });
  const { current: later } = await refresh({ force: true });
  expect((await editor.seoAnalysisHistory({ object }, 'nodes { id }')).nodes).toEqual([
    { id: later.id },
    { id: earlierId },
  ]);
});

test('a refresh after a return to an earlier ruleset stores a new analysis', async () => {
  const shop = await world.neighbour();
  const boss = await shop.staff('editor', 'installation_admin');
  const page = await createPage(boss);
  const replace = (overrides: { path: string; value: number }[]) => boss.replaceSeoRuleset({ overrides });
  const analyse = async () => {
    world.stack.advance(1000);
    return (await boss.seoRefresh({ object: page })).current;
  };
  const first = await analyse();
  await replace([{ path: '/thresholds/title.width/pixels/good/max', value: 210 }]);
  const second = await analyse();
  await replace([]);
  const third = await analyse();
  expect([second.ruleset, third.ruleset]).toEqual(['2026.1+1', first.ruleset]);
  const { nodes } = await boss.seoAnalysisHistory({ object: page }, 'nodes { id }');
  expect(nodes).toEqual([third, second, first].map(({ id }) => ({ id })));
});

test('a refresh counts the internal links and states whether there is a keyphrase', async () => {
  expect((await refresh()).indexed).toEqual({ links: 0, keyphrase: false });
  await editor.updateSeoRecord({ object, keyphrase: 'winter tyre' });
  await write('<p><a href="/a">One</a> <a href="/b">two</a> <a href="https://b.example">out</a></p>');
  expect((await refresh()).indexed).toEqual({ links: 2, keyphrase: true });
});

test('each stored analysis is published as one event', async () => {
  await Promise.all([refresh(), refresh()]);
  const { current } = await refresh();
  const { current: forced } = await refresh({ force: true });
  await world.stack.runJob('seo.relay');
  const events = await EventModel.find({ 'object.id': current.record.id }).sort({ position: 1 }).lean();
  const created = { type: 'seo.snapshot.created', object: { type: 'seo_record' }, contentVersion: 1 };
  expect(events).toMatchObject([created, { ...created, payload: { snapshotId: forced.id } }]);
  expect(events[0]?.payload).toEqual({
    snapshotId: current.id,
    objectType: 'page',
    objectId: object.id,
    source: 'refresh',
    ruleset: current.ruleset,
    contentVersion: 1,
    score: current.scores.seo.value,
    rating: expect.stringMatching(/^(good|ok|bad)$/),
    createdBy: editor.id,
  });
});

test('a refresh of an outdated version of the text is refused and stores nothing', async () => {
  await write('<p>Another tyre.</p>');
  const conflict = await refresh({ ifContentVersion: '1' });
  expect(conflict).toBeRefused(409, 'seo_content_version_conflict', { contentVersion: '2' });
  expect(await countStored()).toBe(0);
  expect((await refresh({ ifContentVersion: '2' })).changed).toBe(true);
});

test('a refresh in a language without a text is refused', async () => {
  expect(await refresh({ locale: 'fr' })).toBeRefused(422, 'seo_no_content_in_language');
});

test('a long text is analysed, and one of more than 60,000 words is refused', async () => {
  await write(`<p>${'This tyre was made for winter roads. '.repeat(500)}</p>`);
  expect((await refresh()).current.scores.seo.value).toBeGreaterThan(0);
  await write(`<p>${'a '.repeat(60_001)}</p>`);
  expect(await refresh()).toBeRefused(413, 'payload_too_large');
  expect(await countStored()).toBe(1);
});

test('the 20 newest analyses are kept, and the last one of the month before them', async () => {
  await refresh();
  for (let run = 0; run < 24; run += 1) await editor.seoRefresh({ object, force: true }, 'changed');
  expect(await countStored()).toBe(21);
});

import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused, type Refusal } from '../../../../test/support/Refusal.ts';
import type { SeededInstallation, SeededUser } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import type { SeoRulesetOverrideInput } from '../../seo.generated.ts';
import { findRuleset } from './rulesets.ts';

const world = product();
let shop: SeededInstallation;
let boss: SeededUser;
// A ruleset belongs to an installation, so every test has its own.
beforeEach(async () => {
  shop = await world.neighbour();
  boss = await shop.staff('installation_admin');
});

const titleWidth = '/thresholds/title.width/pixels/good/max';
const replace = (overrides: Wire<SeoRulesetOverrideInput>[], expectedVersion?: number) =>
  boss.replaceSeoRuleset({ overrides, ...(expectedVersion !== undefined && { expectedVersion }) });
const replaceWidth = async (value: number) => (await replace([{ path: titleWidth, value }])).ruleset;
const analyze = async (by = boss) => {
  const page = { content: '<p>A car.</p>', seoTitle: 'A car that somebody would like to drive for years' };
  const select = 'ruleset inputHash checks { checkId rating maxPoints }';
  const { checks, ...analysis } = await by.seoAnalyze(page, select);
  return { ...analysis, width: checks.find(({ checkId }) => checkId === 'title.width') };
};

test('analyses and the catalogue of checks use the numbers of the installation and name its ruleset', async () => {
  const before = await analyze();
  expect(before).toMatchObject({ ruleset: '2026.1', width: { rating: 'GOOD', maxPoints: 5 } });
  const { ruleset } = await replace([
    { path: titleWidth, value: 210 },
    { path: '/points/title.width/article', value: 8 },
  ]);
  const after = await analyze();
  expect(after).toMatchObject({ ruleset: ruleset.name, width: { rating: 'OK', maxPoints: 8 } });
  expect(after.inputHash).not.toBe(before.inputHash);
  const catalogue = await boss.seoChecks({ profile: 'ARTICLE' });
  const thresholds = { pixels: { good: { max: 210 } } };
  const check = catalogue.find(({ checkId }) => checkId === 'title.width');
  expect(check).toMatchObject({ maxPoints: 8, thresholds });
});

test('a replacement states its base, version, overrides and author', async () => {
  const overrides = [{ path: titleWidth, value: 560 }];
  const { ruleset } = await replace(overrides, 0);
  const changedBy = { id: boss.id };
  expect(ruleset).toMatchObject({ name: '2026.1+1', base: '2026.1', version: 1, overrides, changedBy });
  expect(ruleset.thresholds).toMatchObject({
    'title.width': { pixels: { good: { min: 200, max: 560 } } },
  });
});

test('another installation keeps its own numbers', async () => {
  await replaceWidth(210);
  const stranger = await (await world.neighbour()).seller();
  expect(await analyze(stranger)).toMatchObject({ ruleset: '2026.1', width: { rating: 'GOOD' } });
});

test('the same numbers in any order are no new version', async () => {
  const overrides = [
    { path: titleWidth, value: 560 },
    { path: '/scoring/rating/good', value: 85 },
  ];
  await replace(overrides);
  expect((await replace(overrides.toReversed())).ruleset.version).toBe(1);
});

test('a ruleset without overrides is the built-in one and analyses as before', async () => {
  const before = await analyze();
  await replaceWidth(210);
  expect((await replace([])).ruleset).toMatchObject({ name: '2026.1', overrides: [] });
  expect(await analyze()).toEqual(before);
});

test('every version is found by its exact name', async () => {
  const first = await replaceWidth(210);
  await replaceWidth(300);
  const find = (name: string) =>
    findRuleset(world.stack.contextFor({ installation: shop.installation }), name);
  expect((await find(first.name))?.thresholds['title.width'].pixels.good.max).toBe(210);
  expect(await find('2026.1')).toMatchObject({ id: '2026.1' });
  for (const name of ['2026.1+99', '2025.1+1', '2026.1+', '2026.1+1+1', '2026.1+0', '', 'x'])
    expect(await find(name)).toBeNull();
});

test('the versions are listed in descending order', async () => {
  for (const value of [400, 210, 300]) await replaceWidth(value);
  expect(await boss.seoRulesetVersions({ first: 2 })).toMatchObject({
    nodes: [
      { name: '2026.1+3', version: 3, overrides: [{ value: 300 }] },
      { name: '2026.1+2', version: 2, overrides: [{ value: 210 }] },
    ],
    pageInfo: { hasNextPage: true },
  });
});

test('of concurrent replacements of one version one succeeds', async () => {
  const answers = await Promise.all(
    [210, 300, 400].map((value) => replace([{ path: titleWidth, value }], 0)),
  );
  const refused = answers.filter(isRefused) as unknown as Refusal[];
  expect(refused).toHaveLength(2);
  for (const { problem } of refused)
    expect(problem?.code).toMatch(/^(precondition_failed|concurrent_update)$/);
  expect((await boss.seoRuleset()).version).toBe(1);
});

const width = (value: number) => ({ path: titleWidth, value });
test.each<[string, Wire<SeoRulesetOverrideInput>[], number?]>([
  ['an unknown member', [{ path: '/thresholds/title.height', value: 1 }]],
  ['a prototype', [{ path: '/__proto__/polluted', value: 1 }]],
  ['a whole table', [{ path: '/thresholds/title.width', value: 1 }]],
  ['the name', [{ path: '/id', value: 1 }]],
  ['an empty path', [{ path: '', value: 1 }]],
  ['a path without a slash', [{ path: 'points', value: 1 }]],
  ['a negative number', [width(-1)]],
  ['a huge number', [width(1_000_001)]],
  ['one number twice', [width(500), width(501)], 1],
  ['a path below another one', [width(500), { path: `${titleWidth}/x`, value: 1 }], 1],
  ['limits in the wrong order', [{ path: '/scoring/rating/ok', value: 90 }]],
])('an override of %s is refused with the place', async (_, overrides, index = 0) => {
  const errors = [{ pointer: `#/overrides/${index}`, code: 'invalid' }];
  expect(await replace(overrides)).toBeRefused(422, 'validation_failed', { errors });
  expect((await boss.seoRuleset()).version).toBe(0);
});

test('limits can be moved across each other in one replacement', async () => {
  const { ruleset } = await replace([
    { path: '/scoring/rating/ok', value: 90 },
    { path: '/scoring/rating/good', value: 95 },
  ]);
  expect(ruleset.version).toBe(1);
});

test('an analysis with a cached ruleset reads no SEO collection', async () => {
  await analyze();
  const commands = await commandsOf(() => analyze());
  expect(commands.filter((name) => name.includes('seo_'))).toEqual([]);
});

import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import { countCommands } from '../../platform/mongo/countCommands.ts';
import { buildSeo } from '../server.ts';
import { findRuleset } from './rulesets.ts';

let stack: TestStack;
let administrator: SignedIn;
let seller: SignedIn;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo] });
  administrator = await stack.signIn({ roles: ['installation_admin'] });
  seller = await stack.signIn({ roles: ['buyer', 'seller'] });
});
beforeEach(() => replaced([]));
afterAll(() => stack.close());

const titleWidth = '/thresholds/title.width/pixels/good/max';

function replace(overrides: object[], options: object = {}, as: SignedIn | null = administrator) {
  return stack.execute(
    `mutation ($input: ReplaceSeoRulesetInput!) { replaceSeoRuleset(input: $input) {
      ruleset { name base version overrides { path value } thresholds points changedAt changedBy { id } } } }`,
    { input: { overrides, ...options } },
    { as },
  );
}

async function replaced(overrides: object[], options: object = {}) {
  const { data, errors } = await replace(overrides, options);
  expect(errors).toBeUndefined();
  return data?.replaceSeoRuleset.ruleset;
}

async function analyzed(installation = stack.demo, as = seller) {
  const { data, errors } = await stack.execute(
    `query ($input: SeoAnalysisInput!) { seoAnalyze(input: $input) { ruleset inputHash checks { id rating maxPoints } } }`,
    { input: { content: '<p>A car.</p>', seoTitle: 'A car that somebody would like to drive for years' } },
    { as, installation },
  );
  expect(errors).toBeUndefined();
  const { ruleset, inputHash, checks } = data?.seoAnalyze ?? {};
  return { ruleset, inputHash, width: checks.find(({ id }: { id: string }) => id === 'title.width') };
}

async function versionNow(): Promise<number> {
  const { data } = await stack.execute('{ seoRuleset { version } }', {}, { as: administrator });
  return data?.seoRuleset.version;
}

test('analyses and the catalogue of checks use the numbers of the installation and name them', async () => {
  const before = await analyzed();
  expect(before).toMatchObject({ ruleset: '2026.1', width: { rating: 'GOOD', maxPoints: 5 } });
  const ruleset = await replaced([
    { path: titleWidth, value: 210 },
    { path: '/points/title.width/article', value: 8 },
  ]);
  const after = await analyzed();
  expect(after.width).toEqual({ id: 'title.width', rating: 'OK', maxPoints: 8 });
  expect(after.ruleset).toBe(ruleset.name);
  expect(after.inputHash).not.toBe(before.inputHash);
  const { data } = await stack.execute(
    'query { seoChecks(profile: ARTICLE) { id maxPoints thresholds } }',
    {},
    { as: seller },
  );
  expect(data?.seoChecks.find(({ id }: { id: string }) => id === 'title.width')).toMatchObject({
    maxPoints: 8,
    thresholds: { pixels: { good: { max: 210 } } },
  });
});

test('a replacement says what it replaces, who made it and when', async () => {
  const version = await versionNow();
  const overrides = [{ path: titleWidth, value: 560 }];
  const ruleset = await replaced(overrides, { expectedVersion: version });
  expect(ruleset).toMatchObject({
    name: `2026.1+${version + 1}`,
    base: '2026.1',
    version: version + 1,
    overrides,
    changedBy: { id: administrator.id },
  });
  expect(ruleset.thresholds['title.width'].pixels.good).toEqual({ min: 200, max: 560 });
});

test('another installation keeps its own numbers', async () => {
  await replaced([{ path: titleWidth, value: 210 }]);
  const stranger = await stack.signIn({ roles: ['seller'], installation: stack.other });
  expect(await analyzed(stack.other, stranger)).toMatchObject({
    ruleset: '2026.1',
    width: { rating: 'GOOD' },
  });
});

test('the same numbers again, in any order, are no new version', async () => {
  const overrides = [
    { path: titleWidth, value: 560 },
    { path: '/scoring/rating/good', value: 85 },
  ];
  const first = await replaced(overrides);
  expect(await replaced(overrides.toReversed())).toMatchObject({ version: first.version });
});

test('no overrides are the built-in ruleset again, and analyses before and after are the same bytes', async () => {
  const before = await analyzed();
  await replaced([{ path: titleWidth, value: 210 }]);
  expect(await replaced([])).toMatchObject({ name: '2026.1', overrides: [] });
  expect(await analyzed()).toEqual(before);
});

test('every version stays known by its name, and no other name is', async () => {
  const first = await replaced([{ path: titleWidth, value: 210 }]);
  await replaced([{ path: titleWidth, value: 300 }]);
  const context = stack.contextFor();
  const found = await findRuleset(context, first.name);
  expect(found?.thresholds['title.width'].pixels.good.max).toBe(210);
  expect(await findRuleset(context, '2026.1')).toMatchObject({ id: '2026.1' });
  for (const name of ['2026.1+99', '2025.1+1', '2026.1+', '2026.1+1+1', '2026.1+0', '', 'x']) {
    expect(await findRuleset(context, name)).toBeNull();
  }
});

test('the versions are listed, the newest first', async () => {
  const first = await replaced([{ path: titleWidth, value: 210 }]);
  const second = await replaced([{ path: titleWidth, value: 300 }]);
  const { data } = await stack.execute(
    '{ seoRulesetVersions(first: 2) { nodes { name version overrides { value } } pageInfo { hasNextPage } } }',
    {},
    { as: administrator },
  );
  expect(data?.seoRulesetVersions).toEqual({
    nodes: [
      { name: second.name, version: second.version, overrides: [{ value: 300 }] },
      { name: first.name, version: first.version, overrides: [{ value: 210 }] },
    ],
    pageInfo: { hasNextPage: true },
  });
});

test('of two who saw the same version one wins', async () => {
  const version = await versionNow();
  const outcomes = await Promise.all(
    [210, 300, 400].map((value) => replace([{ path: titleWidth, value }], { expectedVersion: version })),
  );
  const refused = outcomes.filter(({ errors }) => errors !== undefined);
  expect(refused).toHaveLength(2);
  for (const outcome of refused) {
    expect(['precondition_failed', 'concurrent_update']).toContain(problemOf(outcome).code);
  }
  expect(await versionNow()).toBe(version + 1);
});

test.each([
  ['a member that no ruleset has', [{ path: '/thresholds/title.height', value: 1 }], 0],
  ['a prototype', [{ path: '/__proto__/polluted', value: 1 }], 0],
  ['a whole table', [{ path: '/thresholds/title.width', value: 1 }], 0],
  ['a name', [{ path: '/id', value: 1 }], 0],
  ['no path', [{ path: '', value: 1 }], 0],
  ['a path without a slash', [{ path: 'points', value: 1 }], 0],
  ['a negative number', [{ path: titleWidth, value: -1 }], 0],
  ['a huge number', [{ path: titleWidth, value: 1_000_001 }], 0],
  [
    'the same number twice',
    [
      { path: titleWidth, value: 500 },
      { path: titleWidth, value: 501 },
    ],
    1,
  ],
  [
    'a path beyond another one',
    [
      { path: titleWidth, value: 500 },
      { path: `${titleWidth}/x`, value: 1 },
    ],
    1,
  ],
  ['limits in the wrong order', [{ path: '/scoring/rating/ok', value: 90 }], 0],
])('refused with a pointer: %s', async (_, overrides, index) => {
  const version = await versionNow();
  const problem = problemOf(await replace(overrides));
  expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
  expect(problem.errors).toEqual([
    { pointer: `#/overrides/${index}`, code: 'invalid', detail: expect.any(String) },
  ]);
  expect(await versionNow()).toBe(version);
});

test('limits may be moved together across each other', async () => {
  const ruleset = await replaced([
    { path: '/scoring/rating/ok', value: 90 },
    { path: '/scoring/rating/good', value: 95 },
  ]);
  expect(ruleset.version).toBeGreaterThan(0);
});

test('who only edits reads no settings and changes none', async () => {
  const editor = await stack.signIn({ roles: ['editor'] });
  for (const result of [
    await replace([], {}, editor),
    await stack.execute('{ seoRuleset { version } }', {}, { as: editor }),
  ]) {
    expect(problemOf(result)).toMatchObject({ status: 403, code: 'permission_required' });
  }
});

test('a remembered ruleset costs an analysis no command', async () => {
  await analyzed();
  const { commands } = await countCommands(() => analyzed());
  expect(commands.filter((name) => name.includes('seo_'))).toEqual([]);
});

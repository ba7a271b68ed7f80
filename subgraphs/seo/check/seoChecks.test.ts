import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { countCommands } from '../../platform/mongo/countCommands.ts';
import { buildSeo } from '../server.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo] });
});
afterAll(() => stack.close());

interface Definition {
  id: string;
  maxPoints: number;
  group: string;
  languages: string[] | null;
  profiles: string[];
}

async function checks(variables: object = {}, as?: { token: string }) {
  const { data, errors } = await stack.execute(
    `query ($profile: SeoProfile, $locale: LanguageTag) { seoChecks(profile: $profile, locale: $locale) {
      id group title description maxPoints thresholds languages profiles } }`,
    { ...variables },
    { as: as ?? (await stack.signIn()) },
  );
  return { checks: (data?.seoChecks ?? []) as Definition[], errors };
}

test('the catalogue names every check that an analysis answers, in the same order', async () => {
  const { checks: catalogue, errors } = await checks();
  expect(errors).toBeUndefined();
  const { data } = await stack.execute(
    '{ seoAnalyze(input: { content: "<p>A page.</p>" }) { checks { id group maxPoints } } }',
    {},
    { as: await stack.signIn() },
  );
  const answered = ((data?.seoAnalyze.checks ?? []) as Definition[]).map(({ id, group }) => ({ id, group }));
  expect(catalogue.map(({ id, group }) => ({ id, group }))).toEqual(answered);
});

test('the points of an article sum to 100 for each of the two scores', async () => {
  const { checks: catalogue } = await checks({ profile: 'ARTICLE' });
  const sum = (isReading: boolean) =>
    catalogue
      .filter(({ group }) => (group === 'READABILITY') === isReading)
      .reduce((total, { maxPoints }) => total + maxPoints, 0);
  expect([sum(false), sum(true)]).toEqual([100, 100]);
});

test('a profile and a language leave out what they cannot judge', async () => {
  const { checks: forProducts } = await checks({ profile: 'PRODUCT' });
  expect(forProducts.every(({ profiles }) => profiles.includes('PRODUCT'))).toBe(true);
  expect(forProducts.map(({ id }) => id)).not.toContain('links.outbound');
  const { checks: forThai } = await checks({ locale: 'th' });
  expect(forThai.map(({ id }) => id)).not.toContain('passive.share');
});

test('it needs a token and the permission', async () => {
  const { errors } = await stack.execute('{ seoChecks { id } }');
  expect(errors?.[0]?.extensions).toMatchObject({ problem: { code: 'token_missing' } });
  const refused = await checks({}, await stack.signIn({ roles: ['buyer'] }));
  expect(refused.errors?.[0]?.extensions).toMatchObject({ problem: { code: 'permission_required' } });
});

test('it is answered without touching a collection of its own', async () => {
  const seller = await stack.signIn();
  const { commands } = await countCommands(() => checks({}, seller));
  expect(commands.filter((command) => command.includes('seo_'))).toEqual([]);
});

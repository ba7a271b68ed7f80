import { product } from '../../../../test/support/product.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';

const { market } = product();
let seller: SeededUser;
beforeAll(async () => {
  seller = await market.seller();
});

const idsOf = async (variables: Parameters<SeededUser['seoChecks']>[0]) =>
  (await seller.seoChecks(variables)).map(({ checkId }) => checkId);

test('the catalogue has the checks of an analysis in the same order', async () => {
  const { checks } = await seller.seoAnalyze({ content: '<p>A page.</p>' });
  const answered = checks.map(({ checkId, group }) => ({ checkId, group }));
  expect(await seller.seoChecks({}, 'checkId group')).toEqual(answered);
});

test('a profile and a language leave out the checks that they cannot judge', async () => {
  const forProducts = await seller.seoChecks({ profile: 'PRODUCT' });
  expect(forProducts.every(({ profiles }) => profiles.includes('PRODUCT'))).toBe(true);
  expect(forProducts.map(({ checkId }) => checkId)).not.toContain('links.outbound');
  expect(await idsOf({ locale: 'th' })).not.toContain('passive.share');
});

test('the catalogue is read without a SEO collection', async () => {
  const commands = await commandsOf(() => seller.seoChecks());
  expect(commands.filter((command) => command.includes('seo_'))).toEqual([]);
});

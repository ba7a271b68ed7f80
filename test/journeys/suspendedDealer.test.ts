import { createLanguageSettings } from '../../subgraphs/translation/languages/language/createLanguageSettings.ts';
import { product } from '../support/product.ts';
import type { SeededUser } from '../support/seed.ts';

const { market } = product();

test('members of a suspended dealer can read its listings, SEO fields and translations but not write them', async () => {
  await createLanguageSettings(market.installation, { languages: [{ code: 'en' }, { code: 'fr' }] });
  const { owner, ...dealer } = await market.dealer();
  const { id: listingId } = await dealer.listing({ published: true });
  const editor = await market.staff('editor');
  const moderator = await market.staff('moderator');
  const object = { type: 'LISTING', id: listingId } as const;
  const write = async (text: string) => [
    await owner.updateListing({ listingId, description: text }),
    await owner.updateSeoRecord({ object, keyphrase: text }),
    await owner.seoRefresh({ object }),
  ];
  const translate = (by: SeededUser) =>
    by.createTranslation({ source: object, language: 'fr', fields: { title: 'Voiture' } });
  const show = () => market.visitor.rest('GET', `/api/v1/catalog/listings/${listingId}`);

  for (const answer of await write('before')) expect(answer).not.toBeRefused();
  await moderator.suspendDealer({ dealerId: dealer.id, reason: 'Complaints' });
  for (const answer of await write('meanwhile')) expect(answer).toBeRefused(403, 'dealer_not_active');
  expect(await translate(owner)).toBeRefused(403, 'dealer_not_active');
  expect(await translate(editor)).not.toBeRefused();
  expect(await owner.seoRecord({ object }, 'keyphrase latestAnalysis { id }')).not.toBeRefused();
  const query = `{ listing(listingId: "${listingId}") {
    title relationGroup { id } translations(view: EDITORIAL) { id } } }`;
  const read = await owner.rest('POST', '/graphql', { body: { query } });
  expect(read.body).toMatchObject({ data: { listing: { translations: [{}] } } });
  expect(read.body.errors).toBeUndefined();
  expect(await show()).toBeRefused(404, 'not_found');
  await moderator.reinstateDealer({ dealerId: dealer.id });
  for (const answer of await write('afterwards')) expect(answer).not.toBeRefused();
  expect(await show()).toMatchObject({ status: 200 });
});

import { UserModel } from '../../subgraphs/identity/people/user/model.ts';
import { eraseUser } from '../../subgraphs/identity/privacy/account-deletion/eraseUser.ts';
import { personalData } from '../../subgraphs/identity/server.ts';
import { EventModel } from '../../subgraphs/platform/events/model.ts';
import { scoped } from '../../subgraphs/platform/installation/scoped.ts';
import { SeoRecordModel } from '../../subgraphs/seo/pages/record/model.ts';
import { SeoPageModel } from '../../subgraphs/seo/pages/site-index/model.ts';
import { french, openDesk, ref } from '../../subgraphs/translation/fixture/openDesk.ts';
import { ObjectHeadModel } from '../../subgraphs/translation/objects/objectHeads.ts';
import { TranslationModel } from '../../subgraphs/translation/records/model.ts';
import { product } from '../support/product.ts';
import type { Caller } from '../support/seed.ts';

const world = product();
const { market } = world;
const { people, dealers, car, rivalCar, rename, link, translate, records, run } = openDesk(world);
const published = { status: 'PUBLISHED' } as const;

/** Publishes all events and applies them in every subgraph. */
const settle = () =>
  run('identity.relay', 'translation.object-heads', 'seo.pages', 'translation.erasures', 'seo.erasures');
/** Reads a listing through the router. */
async function read(id: string, select: string, as: Caller = market.visitor) {
  const query = `query ($id: ID!) { catalogListing(listingId: $id) { ${select} } }`;
  const { body } = await as.rest('POST', '/graphql', { body: { query, variables: { id } } });
  return { listing: body.data.catalogListing, code: body.errors?.[0].extensions.problem.code };
}
const languagesOf = async (id: string): Promise<string[]> => {
  const { listing } = await read(id, 'alternates { hreflang }');
  return listing.alternates.map(({ hreflang }: { hreflang: string }) => hreflang);
};

test('visitors and users read a listing in their language, with links to its other languages', async () => {
  const id = await car();
  await translate(id, published);
  await settle();
  const select = `slug language { code } alternates { hreflang href } translation(language: "fr") {
    matchedCode strategy translation { languageCode live url fields { title description } } }`;
  const { listing } = await read(id, select);
  const page = (path: string) => `${market.installation.baseUrl}/${path}listings/${listing.slug}`;
  expect(listing).toMatchObject({
    language: { code: 'en' },
    translation: {
      matchedCode: 'fr',
      strategy: 'EXACT',
      translation: { languageCode: 'fr', live: true, url: page('fr/'), fields: french },
    },
    alternates: [
      { hreflang: 'en', href: page('') },
      { hreflang: 'fr', href: page('fr/') },
      { hreflang: 'x-default', href: page('') },
    ],
  });
  for (const as of [people.buyer, people.dealer, people.editor])
    expect((await read(id, select, as)).listing).toEqual(listing);
});

test('the editorial view of a translation is null with an error for readers, who still receive the listing', async () => {
  const id = await car();
  await translate(id);
  await settle();
  const select =
    'title translation(language: "fr", view: EDITORIAL) { translation { status fields(view: EDITORIAL) { title } } }';
  for (const [as, code] of [
    [market.visitor, 'token_missing'],
    [people.buyer, 'permission_required'],
    [people.rival, 'ownership_required'],
  ] as const)
    expect(await read(id, select, as)).toEqual({ listing: { title: 'Good car', translation: null }, code });
  const translation = { translation: { status: 'DRAFT', fields: { title: french.title } } };
  for (const as of [people.editor, people.dealer])
    expect((await read(id, select, as)).listing).toMatchObject({ translation });
});

test('a listing is not an alternate of others while its dealer is suspended', async () => {
  const moderator = await market.staff('moderator');
  const [english, german] = [await car(), await rivalCar({ language: 'de' })];
  await link({ object: ref(german), relatedTo: ref(english) });
  await settle();
  expect(await languagesOf(english)).toContain('de');
  const dealerId = dealers.rivals.id;
  expect(await moderator.suspendDealer({ dealerId, reason: 'Papers are missing' })).not.toBeRefused();
  await settle();
  expect(await languagesOf(english)).toEqual([]);
  expect(await moderator.reinstateDealer({ dealerId })).not.toBeRefused();
  await settle();
  expect(await languagesOf(english)).toContain('de');
});

test('a late event does not overwrite the state of a newer one', async () => {
  const id = await car();
  await settle();
  const heads = scoped(ObjectHeadModel, market.installation.id);
  const _id = `listing:${id}`;
  const newer = { contentVersion: 99, title: 'Newer' };
  await heads.findOneAndUpdate({ _id }, { $set: newer });
  await rename(id, 'Older than that');
  await settle();
  expect(await heads.findOne({ _id })).toMatchObject(newer);
  const seoPage = { title: 'Older than that', visibility: 'PUBLIC' };
  expect(await scoped(SeoPageModel, market.installation.id).findOne({ _id: id })).toMatchObject(seoPage);
});

test('erasing a user deletes all texts of their listing in every subgraph and keeps the linked listing', async () => {
  const { installation } = market;
  const anna = await market.user();
  const { id } = await anna.listing({ published: true, title: 'Violin of Anna' });
  const other = await car({ language: 'de' });
  await translate(id, { ...published, fields: { ...french, title: 'Violon d’Anna' } });
  await link({ object: ref(other), relatedTo: ref(id) });
  await people.editor.updateSeoRecord({ object: ref(id), keyphrase: 'violin of anna' });
  await settle();
  const state = 'unverified';
  await scoped(UserModel, installation.id).findOneAndUpdate({ _id: anna.id }, { $set: { state } });
  const { platform } = world.stack;
  const erasure = { platform, installationId: installation.id, userId: anna.id, job: 'test', personalData };
  expect(await eraseUser(erasure, { state })).toBe('erased');
  await settle();
  for (const model of [ObjectHeadModel, SeoPageModel, TranslationModel, SeoRecordModel]) {
    const stored = await scoped(model as typeof TranslationModel, installation.id).find({});
    expect(JSON.stringify(stored)).not.toMatch(/violin|violon/i);
  }
  expect(JSON.stringify(await EventModel.find({ 'object.id': id }).lean())).not.toContain('Violin');
  const left = await records().find({ subjectId: id });
  expect(left).toHaveLength(2);
  for (const record of left) expect(record).toMatchObject({ groupId: null, liveSince: null, note: null });
  expect(await records().findOne({ subjectId: other })).toMatchObject({ groupId: null, objectGoneAt: null });
});

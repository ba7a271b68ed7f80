import { createLanguageSettings } from '../../../subgraphs/translation/languages/language/createLanguageSettings.ts';
import { completeListing, unique } from '../../../test/support/seed.ts';
import type { Journey, NewListing } from './Journey.ts';
import { openapiFetchJourney } from './openapiFetchJourney.ts';
import { swaggerTypescriptJourney } from './swaggerTypescriptJourney.ts';
import { password, useClients } from './useClients.ts';

const { shop, url } = useClients();

beforeAll(async () => {
  await createLanguageSettings(shop.installation, { languages: [{ code: 'en' }, { code: 'de' }] });
});

test.each<[string, (url: string) => Journey | Promise<Journey>]>([
  ['openapi-typescript and openapi-fetch', openapiFetchJourney],
  ['swagger-typescript-api', swaggerTypescriptJourney],
])(
  'a client that %s generated from the contract sells a car',
  async (_, open) => {
    const journey = await open(url());
    const seller = await shop.user({ password });
    const garage = await shop.dealer({ owner: seller });
    const buyer = await shop.user({ password });
    const [sellerToken, buyerToken] = [
      await journey.signIn(seller.email, password),
      await journey.signIn(buyer.email, password),
    ];
    const word = unique('volvo').replaceAll(/[^a-z]/g, '');
    const offer = {
      ...completeListing(shop.categories),
      dealerId: garage.id,
      condition: 'used',
      title: `Estate ${word}`,
    } as unknown as NewListing;
    const listing = await journey.createListing(sellerToken, offer);
    expect(await journey.publishListing(sellerToken, listing.id)).toMatchObject({ state: 'active' });
    expect((await journey.search(word)).data.map(({ id }) => id)).toEqual([listing.id]);
    const asked = await journey.startConversation(buyerToken, {
      listingId: listing.id,
      text: 'Is it still there?',
    });
    expect(asked.message?.text).toBe('Is it still there?');
    const analysis = await journey.analyze(sellerToken, listing.id);
    expect(analysis.checks).toBeGreaterThan(10);
    expect(analysis.profile).toBe('product');
    const german = await journey.createListing(sellerToken, { ...offer, language: 'de' });
    const { members } = await journey.link(sellerToken, german.id, 'de', listing.id);
    expect(members.sort()).toEqual([listing.id, german.id].sort());
    expect(await journey.refusalOf(buyerToken, 'lst_00000000000000000000000000')).toBe('not_found');
  },
  120_000,
);

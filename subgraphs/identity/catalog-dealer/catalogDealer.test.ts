import { commandsOf } from '../../../test/support/commandsOf.ts';
import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { storeMedia } from '../../../test/support/storeMedia.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { DealerModel } from '../dealer/model.ts';
import { MediaModel } from '../media/model.ts';

const world = product();
const { market } = world;
const fields = `id slug url tradeName legalName description website contactPhone country version memberSince activeListings
  address { line1 city } locations { id name address { city } geo { lat lng } phone default openingHours { day opens closes } }`;
const show = async (dealerId: string, at = market) => {
  const source = `query ($dealerId: ID!) { catalogDealer(dealerId: $dealerId) { ${fields} } }`;
  const result = await world.stack.execute(source, { dealerId }, { installation: at.installation });
  if (result.errors) throw result.errors[0];
  return result.data?.catalogDealer;
};

test('shows anybody who the dealer is, where it is and when it is open', async () => {
  const openingHours = [{ day: 'mon', opens: '09:00', closes: '18:00' }] as const;
  const address = {
    line1: 'Main 1',
    line2: null,
    postalCode: '10115',
    city: 'Berlin',
    region: null,
    country: 'DE',
  };
  const tradeName = unique('Garage');
  const dealer = await market.dealer({
    tradeName,
    legalName: `${tradeName} GmbH`,
    contactPhone: '+49301234',
    description: '**Since 1950**',
    locations: [
      {
        name: 'North',
        address,
        geo: { lat: 52.5, lng: 13.4 },
        phone: '+49305678',
        openingHours: [...openingHours],
        default: true,
      },
    ],
  });
  await dealer.listing({ published: true });
  await dealer.listing();
  const page = await show(dealer.id);
  expect(page).toMatchObject({
    id: dealer.id,
    tradeName,
    slug: dealer.slug,
    url: `${market.installation.baseUrl}/dealers/${dealer.slug}`,
    legalName: `${tradeName} GmbH`,
    contactPhone: '+49301234',
    description: '**Since 1950**',
    activeListings: 1,
    version: 1,
    locations: [
      {
        name: 'North',
        phone: '+49305678',
        default: true,
        openingHours: [{ day: 'MON', opens: '09:00', closes: '18:00' }],
      },
    ],
  });
  expect(await show(dealer.slug)).toEqual(page);
});

test('shows logo and banner as long as they may be seen', async () => {
  const dealer = await market.dealer();
  const owner = { type: 'dealer', id: dealer.id } as const;
  const rendition = { name: 'thumb', format: 'webp', width: 320, height: 200, byteSize: 9 } as const;
  const mediaId = await storeMedia(market.installation.id, owner, {
    purpose: 'logo',
    usage: [{ type: 'logo', id: dealer.id }],
    renditions: [{ ...rendition, sha256: '0'.repeat(64) }],
  });
  await scoped(DealerModel, market.installation.id).findOneAndUpdate(
    { _id: dealer.id },
    { $set: { logoMediaId: mediaId, bannerMediaId: mediaId } },
  );
  const source = `query ($dealerId: ID!) { catalogDealer(dealerId: $dealerId) {
    logo { renditions { url } } banner { renditions { name } } } }`;
  const ask = async () =>
    (await world.stack.execute(source, { dealerId: dealer.id }, { installation: market.installation })).data
      ?.catalogDealer;
  expect(await ask()).toEqual({
    logo: { renditions: [{ url: expect.stringContaining(`/api/v1/files/${mediaId}-000`) }] },
    banner: { renditions: [{ name: 'THUMB' }] },
  });
  await scoped(MediaModel, market.installation.id).findOneAndUpdate(
    { _id: mediaId },
    { $set: { state: 'blocked' } },
  );
  expect(await ask()).toEqual({ logo: null, banner: null });
});

test('an earlier slug leads to the dealer, and says what it is called now', async () => {
  const dealer = await market.dealer();
  const slug = unique('renamed');
  const source = 'mutation ($input: UpdateDealerInput!) { updateDealer(input: $input) { dealer { slug } } }';
  const call = { as: dealer.owner, installation: market.installation };
  const result = await world.stack.execute(source, { input: { dealerId: dealer.id, slug } }, call);
  expect(result.errors).toBeUndefined();
  expect(await show(dealer.slug)).toMatchObject({ id: dealer.id, slug });
  expect(await show(slug)).toMatchObject({ id: dealer.id, slug });
});

test.each(['onboarding', 'suspended', 'closing', 'closed'] as const)(
  'a dealer that is %s does not exist',
  async (state) => {
    const dealer = await market.dealer({ state });
    expect(await show(dealer.id)).toBeNull();
    expect(await show(dealer.slug)).toBeNull();
    const stored = await scoped(DealerModel, market.installation.id).findOne({ _id: dealer.id });
    expect(stored?.state).toBe(state);
  },
);

test('nobody is found in another installation, or by what is no id and no slug', async () => {
  const [other, dealer] = [await world.neighbour(), await market.dealer()];
  expect(await show(dealer.id, other)).toBeNull();
  expect(await show(dealer.slug, other)).toBeNull();
  for (const nonsense of ['', 'x', '$where', '../me', 'A', dealer.owner.id, 'x'.repeat(5000)])
    expect(await show(nonsense)).toBeNull();
});

test('references of other subgraphs are answered to anybody, all of them in two commands', async () => {
  const dealers = [await market.dealer(), await market.dealer(), await market.dealer({ state: 'suspended' })];
  await dealers[1]?.listing({ published: true });
  const source = `query ($r: [_Any!]!) { _entities(representations: $r) {
    ... on CatalogDealer { id activeListings } } }`;
  const r = dealers.map(({ id }) => ({ __typename: 'CatalogDealer', id }));
  const commands = await commandsOf(async () => {
    const { data } = await world.stack.execute(source, { r }, { installation: market.installation });
    expect(data?._entities).toEqual([
      { id: dealers[0]?.id, activeListings: 0 },
      { id: dealers[1]?.id, activeListings: 1 },
      null,
    ]);
  });
  expect(commands).toEqual(['aggregate catalog_listings', 'find dealers']);
});

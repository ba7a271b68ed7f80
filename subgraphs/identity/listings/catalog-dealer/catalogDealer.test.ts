import { storeMedia } from '../../../../test/support/people/storeMedia.ts';
import { product } from '../../../../test/support/product.ts';
import { unique } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { MediaModel } from '../../media/model.ts';
import { DealerModel } from '../../people/dealer/model.ts';

const { market, neighbour, stack } = product();
const show = (dealerId: string, to = market) => to.visitor.catalogDealer({ dealerId });

test('a visitor reads the names, the locations and the opening hours of a dealer', async () => {
  const dealer = await market.dealer({
    legalName: 'Garage GmbH',
    contactPhone: '+49301234',
    description: '**Since 1950**',
  });
  await market
    .records(DealerModel)
    .findOneAndUpdate(
      { _id: dealer.id },
      { $set: { 'locations.0.openingHours': [{ day: 'mon', opens: '09:00', closes: '18:00' }] } },
    );
  await dealer.listing({ published: true });
  await dealer.listing();
  const page = await show(dealer.id);
  expect(page).toMatchObject({
    id: dealer.id,
    slug: dealer.slug,
    url: `${market.installation.baseUrl}/dealers/${dealer.slug}`,
    legalName: 'Garage GmbH',
    contactPhone: '+49301234',
    description: '**Since 1950**',
    activeListings: 1,
    locations: [
      {
        name: 'North',
        phone: '+4930123456',
        default: true,
        openingHours: [{ day: 'MON', opens: '09:00', closes: '18:00' }],
      },
      { name: 'South' },
    ],
  });
  expect(await show(dealer.slug)).toEqual(page);
});

test('the page of a dealer shows its logo and banner until they are blocked', async () => {
  const dealer = await market.dealer();
  const owner = { type: 'dealer', id: dealer.id } as const;
  const rendition = { name: 'thumb', format: 'webp', width: 320, height: 200, byteSize: 9 } as const;
  const mediaId = await storeMedia(market.installation.id, owner, {
    purpose: 'logo',
    usage: [{ type: 'logo', id: dealer.id }],
    renditions: [{ ...rendition, sha256: '0'.repeat(64) }],
  });
  await market
    .records(DealerModel)
    .findOneAndUpdate({ _id: dealer.id }, { $set: { logoMediaId: mediaId, bannerMediaId: mediaId } });
  const url = expect.stringContaining(`/api/v1/files/${mediaId}-000`);
  const shown = { renditions: [{ name: 'THUMB', url }] };
  expect(await show(dealer.id)).toMatchObject({ logo: shown, banner: shown });
  const media = market.records(MediaModel);
  await media.findOneAndUpdate({ _id: mediaId }, { $set: { state: 'blocked' } });
  expect(await show(dealer.id)).toMatchObject({ logo: null, banner: null });
});

test('a dealer is found by an earlier slug, and has its current slug', async () => {
  const { owner, id: dealerId, slug: earlier } = await market.dealer();
  const slug = unique('renamed');
  await owner.updateDealer({ dealerId, slug });
  for (const name of [earlier, slug]) expect(await show(name)).toMatchObject({ id: dealerId, slug });
});

test('a visitor finds no dealer that is not active', async () => {
  for (const state of ['onboarding', 'suspended', 'closing', 'closed'] as const) {
    const { id, slug } = await market.dealer({ state });
    for (const name of [id, slug]) expect(await show(name)).toBeNull();
  }
});

test('a visitor finds no dealer of another installation and no dealer by an invalid name', async () => {
  const [other, dealer] = [await neighbour(), await market.dealer()];
  for (const name of [dealer.id, dealer.slug]) expect(await show(name, other)).toBeNull();
  for (const nonsense of ['', '$where', '../me', dealer.owner.id, 'x'.repeat(5000)])
    expect(await show(nonsense)).toBeNull();
});

test('references of other subgraphs resolve active dealers only, with two commands', async () => {
  const dealers = [await market.dealer(), await market.dealer(), await market.dealer({ state: 'suspended' })];
  await dealers[1]?.listing({ published: true });
  const source = `query ($r: [_Any!]!) { _entities(representations: $r) {
    ... on CatalogDealer { id activeListings } } }`;
  const r = dealers.map(({ id }) => ({ __typename: 'CatalogDealer', id }));
  const commands = await commandsOf(async () => {
    const { data } = await stack.execute(source, { r }, { installation: market.installation });
    expect(data?._entities).toEqual([
      { id: dealers[0]?.id, activeListings: 0 },
      { id: dealers[1]?.id, activeListings: 1 },
      null,
    ]);
  });
  expect(commands).toEqual(['aggregate catalog_listings', 'find dealers']);
});

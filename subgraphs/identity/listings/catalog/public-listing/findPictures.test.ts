import { storeMedia } from '../../../../../test/support/people/storeMedia.ts';
import { perTest, product } from '../../../../../test/support/product.ts';
import { completeListing } from '../../../../../test/support/seed.ts';
import { commandsOf } from '../../../../../test/support/stack/commandsOf.ts';
import { askOwner } from '../../../../platform/federation/askOwner.ts';
import { MediaModel, type MediaRecord } from '../../../media/model.ts';

const { market, stack } = product();
let listingId: string;
const anna = perTest(() => market.seller());
beforeEach(async () => {
  listingId = (await anna.listing({ published: true })).id;
});

const size = { width: 320, height: 240, byteSize: 9 };
const renditions = [{ name: 'thumb', format: 'webp', sha256: 'ab12', ...size } as const];
const picture = (changes: Partial<MediaRecord> = {}) =>
  storeMedia(
    market.installation.id,
    { type: 'user', id: anna.id },
    { renditions, width: 800, height: 600, altText: 'Of the file', ...changes },
  );
const look = () => market.visitor.catalogListing({ listingId });
const search = async (withImages: boolean) => {
  const { nodes } = await market.visitor.catalogListings({ withImages }, 'nodes { id }');
  return nodes.map(({ id }) => id);
};

test('a visitor sees the pictures of a listing in order, with the texts of its owner', async () => {
  expect(await look()).toMatchObject({ cover: null, images: [] });
  const [film, front, back] = [await picture({ kind: 'video' }), await picture(), await picture()];
  const media = [{ mediaId: film }, { mediaId: front, altText: 'The front' }, { mediaId: back }];
  await anna.setListingMedia({ listingId, media });
  const { cover, images } = await look();
  expect(cover).toMatchObject({ altText: 'The front' });
  expect(images).toMatchObject([{ altText: 'The front', width: 800 }, { altText: 'Of the file' }]);
  expect(images[0]?.renditions).toMatchObject([
    {
      name: 'THUMB',
      format: 'WEBP',
      url: expect.stringContaining(`${market.installation.baseUrl}/api/v1/files/`),
    },
  ]);
  expect(await search(true)).toContain(listingId);
  expect(await search(false)).not.toContain(listingId);
});

test('a listing hides a blocked picture and shows one that is processed again', async () => {
  const [first, second] = [await picture(), await picture()];
  const media = [
    { mediaId: first, altText: 'First' },
    { mediaId: second, altText: 'Second' },
  ];
  await anna.setListingMedia({ listingId, media });
  const change = (state: 'blocked' | 'processing') =>
    market.records(MediaModel).findOneAndUpdate({ _id: first }, { $set: { state } });
  await change('blocked');
  expect(await look()).toMatchObject({ cover: { altText: 'Second' }, images: [{ altText: 'Second' }] });
  await change('processing');
  expect(await look()).toMatchObject({ cover: { altText: 'First' }, images: [{}, { altText: 'Second' }] });
});

test('a listing with only a video has no picture', async () => {
  await anna.setListingMedia({ listingId, media: [{ mediaId: await picture({ kind: 'video' }) }] });
  expect(await look()).toMatchObject({ cover: null, images: [] });
  expect(await search(true)).not.toContain(listingId);
});

test('a visitor sees the lowest price of 30 days in addition to a reduced price', async () => {
  const { price } = completeListing(market.categories);
  await anna.updateListing({ listingId, price: { amount: 900, currency: 'EUR' } });
  expect(await look()).toMatchObject({ price: { amount: 900 }, lowestPrice30d: price });
});

test('an analysis receives the public pictures and the public offer of a listing', async () => {
  const vin = 'TMBJG7NE5J0123456';
  const attributes = { ...(completeListing({}).attributes as object), vin };
  const offers = [
    await anna.listing({ published: true, attributes }),
    await anna.listing({ published: true, attributes }),
  ];
  const media = [
    { mediaId: await picture({ kind: 'video' }) },
    { mediaId: await picture(), altText: 'The front' },
  ];
  await anna.setListingMedia({ listingId: offers[0]?.id ?? '', media });
  const ask = async (details: boolean) => {
    const representations = offers.map(({ id }) => ({ __typename: 'Listing', id }));
    const call = { as: anna.token, installation: market.installation };
    const variables = { representations, texts: true, details };
    return (await stack.execute(askOwner.document, variables, call)).data?._entities;
  };
  let asked: any;
  const commands = await commandsOf(async () => {
    asked = await ask(true);
  });
  expect(asked[0].content.images).toEqual([{ src: expect.stringMatching(/^http/), alt: 'The front' }]);
  expect(asked[1].content.images).toEqual([]);
  expect(asked[0].content.product).toMatchObject({
    brand: 'skoda',
    vin: 'TMB**********3456',
    price: { amount: 1_245_000, currency: 'EUR' },
    availability: 'InStock',
    attributes: { make: 'skoda', mileageKm: 84_000, city: 'Berlin' },
  });
  expect(JSON.stringify(asked)).not.toContain(vin);
  const details = commands.filter((command) => /media|categories/.test(command));
  expect(details).toEqual(['find categories', 'find media']);
  const [{ content }] = await ask(false);
  expect(content).not.toHaveProperty('images');
  expect(content).not.toHaveProperty('product');
});

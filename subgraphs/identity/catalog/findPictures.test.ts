import { commandsOf } from '../../../test/support/commandsOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededUser } from '../../../test/support/seed.ts';
import { storeMedia } from '../../../test/support/storeMedia.ts';
import { askOwnerDocument } from '../../platform/federation/askOwner.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { MediaModel, type MediaRecord } from '../media/model.ts';

const world = product();
const { market } = world;
const rendition = {
  name: 'thumb',
  format: 'webp',
  width: 320,
  height: 240,
  byteSize: 9,
  sha256: 'ab12',
} as const;
const picture = (by: SeededUser, changes: Partial<MediaRecord> = {}) =>
  storeMedia(
    market.installation.id,
    { type: 'user', id: by.id },
    { renditions: [rendition], width: 800, height: 600, altText: 'Of the file', ...changes },
  );
const put = async (by: SeededUser, listingId: string, media: readonly object[]) => {
  const source = `mutation ($input: SetListingMediaInput!) { setListingMedia(input: $input) { listing { id } } }`;
  const input = { listingId, media };
  const result = await world.stack.execute(
    source,
    { input },
    { as: by.token, installation: market.installation },
  );
  expect(result.errors).toBeUndefined();
};
const shown = 'cover { altText } images { altText width renditions { name format url } }';
const look = async (listingId: string) => {
  const source = `query ($listingId: ID!) { catalogListing(listingId: $listingId) { ${shown} lowestPrice30d { amount } } }`;
  const result = await world.stack.execute(source, { listingId }, { installation: market.installation });
  expect(result.errors).toBeUndefined();
  return result.data?.catalogListing;
};
const search = async (withImages: boolean) => {
  const source = 'query ($withImages: Boolean) { catalogListings(withImages: $withImages) { nodes { id } } }';
  const result = await world.stack.execute(source, { withImages }, { installation: market.installation });
  return result.data?.catalogListings.nodes.map(({ id }: { id: string }) => id);
};

test('covers of a page of listings cost one command', async () => {
  const anna = await market.user();
  for (let count = 0; count < 4; count += 1) {
    const { id } = await anna.listing({ published: true });
    await put(anna, id, [{ mediaId: await picture(anna) }, { mediaId: await picture(anna) }]);
  }
  const source = '{ catalogListings(withImages: true) { nodes { id cover { altText } } } }';
  const commands = await commandsOf(() =>
    world.stack.execute(source, {}, { installation: market.installation }),
  );
  expect(commands.filter((command) => /media/.test(command))).toEqual(['find media']);
});

test('everybody sees the pictures of a published listing in order, with the owner’s words and lasting addresses', async () => {
  const anna = await market.user();
  const { id } = await anna.listing({ published: true });
  expect(await look(id)).toMatchObject({ cover: null, images: [] });
  const [film, front, back] = [
    await picture(anna, { kind: 'video' }),
    await picture(anna),
    await picture(anna),
  ];
  await put(anna, id, [{ mediaId: film }, { mediaId: front, altText: 'The front' }, { mediaId: back }]);
  const { cover, images } = await look(id);
  expect(cover).toEqual({ altText: 'The front' });
  expect(images).toMatchObject([{ altText: 'The front', width: 800 }, { altText: 'Of the file' }]);
  expect(images[0].renditions).toEqual([
    {
      name: 'THUMB',
      format: 'WEBP',
      url: expect.stringContaining(`${market.installation.baseUrl}/api/v1/files/`),
    },
  ]);
  expect(await search(true)).toContain(id);
  expect(await search(false)).not.toContain(id);
});

test('a picture that is blocked is not shown, and the next one is the cover; one that is made again stays', async () => {
  const anna = await market.user();
  const { id } = await anna.listing({ published: true });
  const [first, second] = [await picture(anna), await picture(anna)];
  await put(anna, id, [
    { mediaId: first, altText: 'First' },
    { mediaId: second, altText: 'Second' },
  ]);
  const change = (state: 'blocked' | 'processing') =>
    scoped(MediaModel, market.installation.id).findOneAndUpdate({ _id: first }, { $set: { state } });
  await change('blocked');
  expect(await look(id)).toMatchObject({ cover: { altText: 'Second' }, images: [{ altText: 'Second' }] });
  await change('processing');
  expect(await look(id)).toMatchObject({ cover: { altText: 'First' }, images: [{}, { altText: 'Second' }] });
});

test('a film alone is no picture', async () => {
  const anna = await market.user();
  const { id } = await anna.listing({ published: true });
  await put(anna, id, [{ mediaId: await picture(anna, { kind: 'video' }) }]);
  expect(await look(id)).toMatchObject({ cover: null, images: [] });
  expect(await search(true)).not.toContain(id);
});

test('the price that a reduction is compared with is there for everybody', async () => {
  const anna = await market.user();
  const { id } = await anna.listing({ published: true, price: { amount: 1000, currency: 'EUR' } });
  const source = `mutation ($input: UpdateListingInput!) { updateListing(input: $input) { listing { lowestPrice30d { amount } } } }`;
  const input = { listingId: id, price: { amount: 900, currency: 'EUR' } };
  const { data } = await world.stack.execute(
    source,
    { input },
    { as: anna.token, installation: market.installation },
  );
  expect(data?.updateListing.listing.lowestPrice30d).toEqual({ amount: 1000 });
  expect(await look(id)).toMatchObject({ lowestPrice30d: { amount: 1000 } });
});

test('who analyses a listing is told of its pictures and of what it offers, as readers see them', async () => {
  const anna = await market.user();
  const vin = 'TMBJG7NE5J0123456';
  const listings = await Promise.all(
    Array.from({ length: 3 }, () =>
      anna.listing({
        published: true,
        attributes: {
          make: 'skoda',
          model: 'octavia',
          firstRegistration: '2019-04',
          mileageKm: 1,
          fuel: 'diesel',
          transmission: 'manual',
          vin,
        },
      }),
    ),
  );
  const [first] = listings;
  await put(anna, first?.id ?? '', [
    { mediaId: await picture(anna, { kind: 'video' }) },
    { mediaId: await picture(anna), altText: 'The front' },
  ]);
  const ask = async (details: boolean) => {
    const representations = listings.map(({ id }) => ({ __typename: 'Listing', id }));
    const call = { as: anna.token, installation: market.installation };
    return (await world.stack.execute(askOwnerDocument, { representations, texts: true, details }, call)).data
      ?._entities;
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
    attributes: { make: 'skoda', mileageKm: 1, city: 'Berlin' },
  });
  expect(JSON.stringify(asked)).not.toContain(vin);
  expect(commands.filter((command) => /media|categories/.test(command)).sort()).toEqual([
    'find categories',
    'find media',
  ]);
  const [{ content }] = await ask(false);
  expect(content).not.toHaveProperty('images');
  expect(content).not.toHaveProperty('product');
});

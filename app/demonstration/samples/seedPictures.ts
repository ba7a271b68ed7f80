import { repeatableId } from '../../../subgraphs/platform/ids/newId.ts';
import { drawCar } from '../pictures/drawCar.ts';
import { drawLogo } from '../pictures/drawLogo.ts';
import { PictureStore } from '../pictures/PictureStore.ts';
import type { SeededListing } from '../seedListings.ts';
import { seedOperation } from '../seedOperation.ts';
import type { SampleContext } from './SampleContext.ts';

const setListingMedia = seedOperation(`mutation setListingMedia($input: SetListingMediaInput!) {
  setListingMedia(input: $input) { listing { id } } }`);
const readOwn = seedOperation('query ownListings { me { id } listings(first: 10) { nodes { id title } } }');
const updateDealer = seedOperation(`mutation updateDealer($input: UpdateDealerInput!) {
  updateDealer(input: $input) { dealer { id } } }`);

/** Number of cars after which the progress is printed. */
const reportEvery = 100;
/** Every so many cars, one has a second picture. */
const secondEvery = 24;

/** Creates logos of the dealers and a picture of every car, in the order in which the catalogue shows them. */
export function seedPictures(context: SampleContext): Promise<void> {
  const { product, signal, progress, listings } = context;
  return PictureStore.use(product.platform, signal, async (store) => {
    await seedLogos(context, store);
    await seedPrivate(context, store);
    progress('demonstration: logos of the dealers');
    const newestFirst = listings.filter(({ state }) => state === 'ACTIVE').toReversed();
    for (const [index, listing] of newestFirst.entries()) {
      signal.throwIfAborted();
      await seedCar(context, store, listing);
      const done = index + 1;
      if (done % reportEvery === 0 || done === newestFirst.length)
        progress(`demonstration: pictures of ${done} of ${newestFirst.length} cars`);
    }
  });
}

async function seedLogos({ dealers, installation }: SampleContext, store: PictureStore): Promise<void> {
  for (const { dealerId, emblem, tradeName, caller } of dealers) {
    const logoMediaId = repeatableId('media', dealerId, 'logo');
    await store.store(drawLogo(emblem), {
      installationId: installation.id,
      _id: logoMediaId,
      owner: { type: 'dealer', id: dealerId },
      purpose: 'logo',
      filename: 'logo.jpeg',
      altText: `Logo of ${tradeName}`,
    });
    await caller.call(updateDealer, { input: { dealerId, logoMediaId } });
  }
}

/** Creates pictures of the private listings of the newcomer. */
async function seedPrivate(
  { installation, as: { newcomer } }: SampleContext,
  store: PictureStore,
): Promise<void> {
  const { me, listings } = await newcomer.call<{
    me: { id: string };
    listings: { nodes: { id: string; title: string }[] };
  }>(readOwn);
  for (const { id: listingId, title: altText } of listings.nodes) {
    const mediaId = repeatableId('media', listingId, 'evening');
    await store.store(drawCar({ shape: 'estate', paint: 'blue', scale: 0.92, scene: 'evening' }), {
      installationId: installation.id,
      _id: mediaId,
      owner: { type: 'user', id: me.id },
      purpose: 'listing',
      filename: 'estate.jpeg',
      altText,
    });
    await newcomer.call(setListingMedia, { input: { listingId, media: [{ mediaId, altText }] } });
  }
}

async function seedCar(
  { installation }: SampleContext,
  store: PictureStore,
  { id: listingId, car, dealer }: SeededListing,
): Promise<void> {
  const hasTwo = Number(car.stockNumber.slice(-4)) % secondEvery === 1;
  const scenes = hasTwo ? (['studio', 'evening'] as const) : (['studio'] as const);
  const media = [];
  for (const scene of scenes) {
    const mediaId = repeatableId('media', listingId, scene);
    const altText = `${car.title}, ${car.look.paint}, ${scene === 'studio' ? 'right side' : 'left side, in the evening'}`;
    await store.store(drawCar({ ...car.look, scene }), {
      installationId: installation.id,
      _id: mediaId,
      owner: { type: 'dealer', id: dealer.dealerId },
      purpose: 'listing',
      filename: `${car.stockNumber.toLowerCase()}-${scene}.jpeg`,
      altText,
    });
    media.push({ mediaId, altText });
  }
  await dealer.caller.call(setListingMedia, { input: { listingId, media } });
}

import { perTest, product } from '../../../../test/support/product.ts';
import { completeListing } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { UserModel } from '../../people/user/model.ts';
import { CatalogListingModel } from './public-listing/model.ts';

const { market, neighbour, stack } = product();
const anna = perTest(() => market.seller({ displayName: 'Anna' }));

const show = (listingId: string, to = market) => to.visitor.catalogListing({ listingId });
const copies = () => market.records(CatalogListingModel);
const sample = () => completeListing(market.categories);

test('a visitor reads a published listing by id and slug, with the name of its seller', async () => {
  const { id, slug } = await anna.listing({ published: true, title: 'Skoda Octavia' });
  const view = await show(id);
  expect(view).toMatchObject({
    id,
    slug,
    url: `${market.installation.baseUrl}/listings/${slug}`,
    title: 'Skoda Octavia',
    condition: 'USED',
    price: { amount: 1_245_000, currency: 'EUR' },
    priceType: 'FIXED',
    attributes: { make: 'skoda', mileageKm: 84_000 },
    seller: { type: 'USER', dealerId: null, name: 'Anna' },
    contactPhone: null,
  });
  expect(await show(slug ?? '')).toEqual(view);
});

test('the public copy of a private listing has no vehicle number, exact place or seller id', async () => {
  const vin = 'TMBJG7NE5J0123456';
  const attributes = { ...(sample().attributes as object), vin };
  const { id } = await anna.listing({ published: true, attributes });
  const view = await show(id);
  expect(view.attributes).toMatchObject({ vin: 'TMB**********3456' });
  expect(view.location).toEqual({
    postalCode: null,
    city: 'Berlin',
    region: null,
    country: 'DE',
    geo: { lat: 52.53, lng: 13.39 },
    precision: 'APPROXIMATE',
  });
  const stored = JSON.stringify(await copies().findOne({ _id: id }));
  expect(stored).not.toContain(vin);
  expect(stored).not.toContain('52.53214');
  expect(JSON.stringify(view)).not.toContain(anna.id);
  for (const filter of [{ attributes: [{ name: 'vin', values: [vin] }] }, { q: vin }])
    expect(await market.visitor.catalogListings(filter)).toMatchObject({ nodes: [] });
});

test('a visitor sees the exact place of a dealer, and of a private seller who shows it', async () => {
  const location = { ...(sample().location as object), precision: 'EXACT' };
  const exact = await anna.listing({ published: true, location });
  expect(await show(exact.id)).toMatchObject({ location: { postalCode: '10115', geo: { lat: 52.53214 } } });
  const dealer = await market.dealer();
  const place = { location: null, dealerLocationId: dealer.locationIds[0] };
  const { id } = await dealer.listing({ published: true, ...place });
  expect(await show(id)).toMatchObject({
    location: { postalCode: '10115', city: 'Berlin', geo: { lat: 52.53214 } },
    seller: { type: 'DEALER', dealerId: dealer.id },
  });
});

test('a listing shows the current phone number of its owner only if the owner allows it', async () => {
  const setPhone = (phone: string) =>
    market.records(UserModel).findOneAndUpdate({ _id: anna.id }, { $set: { phone } });
  await setPhone('+491111111');
  const hidden = await anna.listing({ published: true });
  const shown = await anna.listing({ published: true, contact: { showPhone: true } });
  expect(await show(hidden.id)).toMatchObject({ contactPhone: null });
  expect(await show(shown.id)).toMatchObject({ contactPhone: '+491111111' });
  await setPhone('+492222222');
  expect(await show(shown.id)).toMatchObject({ contactPhone: '+492222222' });
});

test('a visitor finds no draft, no expired listing and no listing of another installation', async () => {
  const [draft, live] = [await anna.listing(), await anna.listing({ published: true })];
  expect(await show(draft.id)).toBeNull();
  for (const nonsense of ['x', '$where', '']) expect(await show(nonsense)).toBeNull();
  const other = await neighbour();
  for (const name of [live.id, live.slug ?? '']) expect(await show(name, other)).toBeNull();
  expect(await other.visitor.catalogListings()).toMatchObject({ nodes: [] });
  const past = new Date(stack.platform.now() - 1);
  await copies().findOneAndUpdate({ _id: live.id }, { $set: { expiresAt: past } });
  expect(await show(live.id)).toBeNull();
  const { nodes } = await market.visitor.catalogListings({ first: 100 });
  expect(nodes.map(({ id }) => id)).not.toContain(live.id);
});

test('references of other subgraphs resolve published listings only, with one command', async () => {
  const [first, second] = [await anna.listing({ published: true }), await anna.listing({ published: true })];
  const ids = [first.id, second.id, (await anna.listing()).id];
  const source = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on CatalogListing { id } } }';
  const r = ids.map((id) => ({ __typename: 'CatalogListing', id }));
  const commands = await commandsOf(async () => {
    const { data } = await stack.execute(source, { r }, { installation: market.installation });
    expect(data?._entities).toEqual([{ id: first.id }, { id: second.id }, null]);
  });
  expect(commands).toEqual(['find catalog_listings']);
});

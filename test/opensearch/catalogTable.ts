import type { QuerycatalogListingsArgs } from '../../subgraphs/identity/identity.generated.ts';
import type { Draw } from './draw.ts';

/** A search of the catalogue, as a resolver receives it. */
export type Search = Partial<Omit<QuerycatalogListingsArgs, 'first' | 'after'>>;

/** Facets that are counted for every search. */
export const countedFacets = [
  'categoryId',
  'condition',
  'priceType',
  'sellerType',
  'price',
  'make',
  'model',
  'fuel',
  'features',
  'consumptionLPer100Km',
  'mileageKm',
  'powerKw',
  'doors',
];

const equal = (name: string, ...values: string[]) => ({ name, values });
const berlin = { lat: 52.52, lng: 13.405 };

/** Searches by name. Ids of categories are replaced by the caller: `cat:cars`. */
export const searches: Readonly<Record<string, Search>> = {
  everything: {},
  'everything in descending order of price': { sort: 'price_desc' },
  'everything in ascending order of price': { sort: 'price_asc' },
  'a category with those below it': { categoryId: 'cat:vehicles' },
  'a leaf category': { categoryId: 'cat:wheels' },
  'an unknown category': { categoryId: 'cat_x' },
  'a price range': { priceMin: 100_000, priceMax: 900_000, currency: 'EUR' },
  'a currency': { currency: 'USD', sort: 'price_asc' },
  conditions: { condition: ['new', 'for_parts'] as never },
  'price types': { priceType: ['on_request'] as never },
  'seller types': { sellerType: ['dealer'] as never },
  dealers: { dealerId: ['dlr_1', 'dlr_2', 'dlr_x'] },
  'one of several values': { attributes: [equal('make', 'ford', 'toyota')] },
  'all of several values': { attributes: [{ name: 'features', all: ['abs', 'towbar'] }] },
  'a value with an accent': { attributes: [equal('features', 'été')] },
  'a truth value': { attributes: [equal('accidentDamaged', 'false')] },
  'numbers and texts of one attribute': { attributes: [equal('doors', '4', 'two')] },
  'a number in another notation': { attributes: [equal('doors', '4.0')] },
  'a text that looks like no number': { attributes: [equal('doors', 'NaN')] },
  'a range of an attribute': {
    attributes: [{ name: 'mileageKm', min: 10_000, max: 60_000 }],
    sortByAttribute: { name: 'mileageKm', direction: 'asc' },
  },
  'a range of an attribute that few have': {
    attributes: [{ name: 'powerKw', max: 80 }],
    sortByAttribute: { name: 'powerKw', direction: 'desc' },
  },
  'an attribute that none has': { attributes: [equal('bodyType', 'submarine')] },
  'the order of an attribute that some have': { sortByAttribute: { name: 'powerKw', direction: 'asc' } },
  'the order of an attribute that none has': { sortByAttribute: { name: 'rangeKm', direction: 'asc' } },
  'a place': { near: berlin, radiusKm: 200, sort: 'distance' },
  'a place without the order': { near: berlin, radiusKm: 77.7 },
  'a map': { bounds: { south: 50, west: 8, north: 52, east: 12 } },
  'a map across the antimeridian': { bounds: { south: -90, west: 100, north: 90, east: -100 } },
  'the whole map': { bounds: { south: -90, west: -180, north: 90, east: 180 } },
  'a map of one point': { bounds: { south: 52.5, west: 13.4, north: 52.5, east: 13.4 } },
  'listings since a time': { publishedAfter: new Date(Date.now() - 100 * 24 * 3600 * 1000) },
  'listings with images': { withImages: true },
  'listings without images': { withImages: false },
  'a word of many': { q: 'ford' },
  'another inflection': { q: 'cylinder' },
  'several words': { q: 'ford torino wagon cylinders' },
  'a word with other conditions': {
    q: 'chevrolet',
    attributes: [{ name: 'mileageKm', max: 90_000 }],
    sort: 'price_asc',
  },
  'a word of attributes': { q: 'petrol' },
  'a word without an accent': { q: 'ete' },
  'stop words only': { q: 'the and of' },
  'an unknown word': { q: 'zeppelin' },
  'words of German readers': { q: 'Zylinder Baujahr', locale: 'de' },
  'words of French readers': { q: 'cylindres', locale: 'fr' },
  'words of Canadian readers': { q: 'cylindres ford', locale: 'fr-CA' },
  'words of a language without a stemmer': { q: 'cylinders', locale: 'tlh' },
  'many words': {
    q: Array.from({ length: 66 }, (_, at) => String.fromCharCode(97 + (at % 26)) + at)
      .join(' ')
      .slice(0, 200),
  },
};

/** Returns a search with any combination of conditions. */
export function drawSearch(draw: Draw): Search {
  const near = draw.chance(0.2);
  const q = draw.chance(0.4)
    ? draw.some(['ford', 'wagon', 'Zylinder', 'cylindre', 'sedan', 'toyota', 'red'])
    : [];
  const orders: Search[] = [
    { sort: 'price_asc' },
    { sort: 'price_desc' },
    { sort: 'published_at_desc' },
    { sortByAttribute: { name: 'mileageKm', direction: 'asc' } },
    { sortByAttribute: { name: 'powerKw', direction: 'desc' } },
    ...(near ? [{ sort: 'distance' } as const] : []),
  ];
  return {
    ...(q.length > 0 && { q: q.join(' ') }),
    ...(draw.chance(0.3) && { locale: draw.oneOf(['de', 'fr', 'en', 'fr-CA']) }),
    ...(draw.chance(0.3) && { categoryId: draw.oneOf(['cat:cars', 'cat:parts']) }),
    ...(draw.chance(0.3) && { currency: 'EUR', priceMin: draw.whole(0, 200) * 10_000 }),
    ...(draw.chance(0.3) && { condition: draw.some(['new', 'used']) as never }),
    ...(draw.chance(0.2) && { sellerType: ['user'] as never }),
    ...(draw.chance(0.2) && { withImages: draw.chance(0.5) }),
    ...(near
      ? { near: { lat: draw.whole(48, 54), lng: draw.whole(7, 14) }, radiusKm: draw.whole(20, 300) }
      : draw.chance(0.2) && {
          bounds: { south: draw.whole(47, 50), west: draw.whole(6, 9), north: 53, east: draw.whole(10, 15) },
        }),
    attributes: [
      ...(draw.chance(0.3) ? [equal('make', ...draw.some(['ford', 'toyota', 'amc', 'opel']))] : []),
      ...(draw.chance(0.2) ? [{ name: 'features', all: draw.some(['abs', 'radio']) }] : []),
      ...(draw.chance(0.3) ? [{ name: 'mileageKm', max: draw.whole(1000, 250_000) }] : []),
    ],
    ...(draw.chance(0.6) && draw.oneOf(orders)),
  };
}

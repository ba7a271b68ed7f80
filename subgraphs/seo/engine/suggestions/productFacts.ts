import type { AnalysisInput } from '../contract.ts';

/** Facts of a product as words of a title. */
export interface ProductFacts {
  /** Make, model, trim and year, in this order. */
  readonly name: string;
  readonly place: string;
  /** As in `18900 EUR`. */
  readonly price: string;
  /** Further facts worth saying, as in `diesel`. */
  readonly details: readonly string[];
}

const nameParts = [
  ['make', 'brand', 'manufacturer'],
  ['model'],
  ['trim', 'variant', 'version'],
  ['year', 'modelYear', 'firstRegistrationYear'],
];
const placeParts = ['city', 'place', 'location'];
const detailParts = [
  'fuel',
  'fuelType',
  'mileage',
  'mileageKm',
  'transmission',
  'gearbox',
  'power',
  'bodyType',
  'color',
  'colour',
];

/** Returns the facts that the product states; nothing is invented. */
export function productFactsOf({ product }: AnalysisInput): ProductFacts {
  const attributes = textsOf(product?.attributes);
  const brand = product?.brand?.trim();
  if (brand && !attributes.has('make')) attributes.set('make', brand);
  const first = (names: readonly string[]): string =>
    names.map((name) => attributes.get(name) ?? '').find((text) => text !== '') ?? '';
  return {
    name: nameParts.map(first).filter(Boolean).join(' '),
    place: first(placeParts),
    price:
      typeof product?.price === 'number' && product.currency ? `${product.price} ${product.currency}` : '',
    details: detailParts.map((name) => attributes.get(name) ?? '').filter(Boolean),
  };
}

function textsOf(attributes: unknown): Map<string, string> {
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) return new Map();
  return new Map(
    Object.entries(attributes).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value).trim()] as const] : [],
    ),
  );
}

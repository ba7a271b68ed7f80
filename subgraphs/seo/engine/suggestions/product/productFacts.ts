import type { Source } from '../Draft.ts';
import { AttributeReader } from './AttributeReader.ts';

/** Facts of a product as readers see them; empty texts if they are unknown. */
export interface ProductFacts {
  /** Make and model, as in `Skoda Octavia Combi`. */
  readonly model: string;
  /** Make, model and variant; empty without a model. */
  readonly name: string;
  readonly brand: string;
  readonly year: string;
  readonly place: string;
  /** As in `84,000 km`. */
  readonly mileage: string;
  /** Further facts, the most important first: power, fuel, transmission, body, colour. */
  readonly details: readonly string[];
  readonly attributes: AttributeReader;
}

const year = /^(?:19|20)\d\d/;

/** Returns the facts that the product states; nothing is invented, and no stored reference is shown. */
export function productFactsOf({ input, context }: Source): ProductFacts {
  const { product } = input;
  const texts = [input.title ?? '', input.seoTitle ?? '', context.document.text];
  const attributes = new AttributeReader(product, context.languageTag, texts);
  const brand =
    attributes.name('make', 'brand', 'manufacturer') ||
    attributes.nameOf(product?.brand?.trim() ?? '', ['make', 'brand']);
  const model = attributes.name('model');
  const variant = attributes.raw('trim', 'variant', 'version');
  const named = model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${brand} ${model}`.trim();
  return {
    model: model ? named : '',
    name: model ? [named, variant].filter(Boolean).join(' ') : '',
    brand,
    year:
      year.exec(attributes.raw('year', 'modelYear', 'firstRegistration', 'firstRegistrationYear'))?.[0] ?? '',
    place: attributes.raw('city', 'place', 'location'),
    mileage: attributes.text('mileageKm', 'mileage'),
    details: [
      attributes.text('powerKw', 'power'),
      attributes.text('fuel', 'fuelType'),
      attributes.text('transmission', 'gearbox'),
      attributes.text('bodyType'),
    ].filter(Boolean),
    attributes,
  };
}

import type { JsonValue } from '../../contract.ts';
import type { Source } from '../Draft.ts';
import { type ProductFacts, productFactsOf } from './productFacts.ts';

type Node = Record<string, JsonValue>;

/** Types of schema.org that have the properties of vehicles. */
const vehicleTypes = new Set(['Car', 'Motorcycle', 'Vehicle', 'BusOrCoach', 'MotorizedBicycle']);
const driveTypes = new Map([
  ['front', 'FrontWheelDriveConfiguration'],
  ['rear', 'RearWheelDriveConfiguration'],
  ['all', 'AllWheelDriveConfiguration'],
]);

/**
 * Returns a product or vehicle with the properties that search engines document for vehicle listings. Empty values
 * are unknown.
 */
export function productNode(source: Source, title: string): Node {
  const { product } = source.input;
  const facts = productFactsOf(source);
  const vin = product?.vin?.trim() ?? '';
  // A value that readers see masked is not published.
  const isMasked = vin.includes('*');
  const type = product?.type ?? (vin ? 'Car' : 'Product');
  return {
    '@type': type,
    name: facts.name || title || facts.brand,
    sku: product?.sku?.trim() ?? '',
    gtin: product?.gtin?.trim() ?? '',
    vehicleIdentificationNumber: isMasked ? '' : vin,
    brand: facts.brand ? { '@type': 'Brand', name: facts.brand } : '',
    ...(vehicleTypes.has(type) && vehicleProperties(facts)),
    offers: offerOf(source, facts),
  };
}

function vehicleProperties({ attributes, brand, model, year }: ProductFacts): Node {
  const drive = driveTypes.get(attributes.raw('driveType'));
  return {
    model: model.slice(brand.length).trim() || model,
    vehicleConfiguration: attributes.raw('trim', 'variant', 'version'),
    vehicleModelDate: year,
    mileageFromOdometer: quantity(attributes.raw('mileageKm'), 'KMT'),
    bodyType: attributes.text('bodyType'),
    color: attributes.text('exteriorColor', 'color', 'colour'),
    vehicleTransmission: attributes.text('transmission', 'gearbox'),
    driveWheelConfiguration: drive ? `https://schema.org/${drive}` : '',
    numberOfDoors: Number(attributes.raw('doors')) || '',
    vehicleSeatingCapacity: Number(attributes.raw('seats')) || '',
    vehicleEngine: engineOf(attributes),
    // A vehicle that was registered is used.
    itemCondition: attributes.raw('firstRegistration') ? 'https://schema.org/UsedCondition' : '',
  };
}

function engineOf(attributes: ProductFacts['attributes']): Node | '' {
  const engine = withoutEmpty({
    fuelType: attributes.text('fuel', 'fuelType'),
    enginePower: quantity(attributes.raw('powerKw'), 'KWT'),
    engineDisplacement: quantity(attributes.raw('displacementCcm'), 'CMQ'),
  });
  return Object.keys(engine).length > 0 ? { '@type': 'EngineSpecification', ...engine } : '';
}

function offerOf({ input }: Source, { attributes }: ProductFacts): Node | '' {
  const { product } = input;
  if (typeof product?.price !== 'number' || !product.currency) return '';
  return withoutEmpty({
    '@type': 'Offer',
    price: product.price,
    priceCurrency: product.currency,
    availability: product.availability
      ? `https://schema.org/${product.availability.replace(/^.*\//, '')}`
      : '',
    itemCondition: attributes.raw('firstRegistration') ? 'https://schema.org/UsedCondition' : '',
    url: input.permalink?.trim() ?? '',
  });
}

/** Returns an amount with a unit code of UN/CEFACT. */
function quantity(value: string, unitCode: string): Node | '' {
  return value === '' ? '' : { '@type': 'QuantitativeValue', value: Number(value), unitCode };
}

/** Returns the node without empty members. */
export function withoutEmpty(node: Node): Node {
  return Object.fromEntries(
    Object.entries(node).filter(
      ([, value]) => value !== '' && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

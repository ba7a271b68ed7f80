import type { AttributeSchema, CategorySchema } from './model.ts';
import { horsepower, makerLabels, vehicleLabels } from './vehicleLabels.ts';

const reference = { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 64 } as const;
const yearMonth = { type: 'string', pattern: '^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$' } as const;

function oneOf(...values: string[]): AttributeSchema {
  return { type: 'string', enum: values };
}

function count(maximum: number, unit?: string): AttributeSchema {
  return { type: 'integer', minimum: 0, maximum, ...(unit ? { unit } : {}) };
}

/** Returns an attribute with one decimal place. */
function decimal(maximum: number, unit: string): AttributeSchema {
  return { type: 'number', minimum: 0, maximum, multipleOf: 0.1, unit };
}

const features = [
  'abs',
  'adaptive_cruise_control',
  'air_conditioning',
  'alloy_wheels',
  'android_auto',
  'apple_carplay',
  'automatic_climate_control',
  'blind_spot_monitor',
  'camera',
  'cruise_control',
  'electric_windows',
  'four_wheel_steering',
  'head_up_display',
  'heat_pump',
  'heated_seats',
  'isofix',
  'keyless_entry',
  'lane_assist',
  'leather_seats',
  'led_headlights',
  'navigation',
  'panoramic_roof',
  'parking_sensors',
  'roof_rack',
  'start_stop',
  'sunroof',
  'towbar',
  'winter_tyres',
];

/** All attributes of vehicles, with fixed units. */
const vehicleAttributes: Record<string, AttributeSchema> = {
  make: { ...reference, identifying: true, description: 'Maker', valueLabels: makerLabels },
  model: { ...reference, identifying: true, description: 'Model' },
  variant: { type: 'string', minLength: 1, maxLength: 80, identifying: true, description: 'Variant' },
  // ISO 3779: 17 characters, without I, O and Q. It identifies an owner, so it is masked for the public.
  vin: {
    type: 'string',
    pattern: '^[A-HJ-NPR-Z0-9]{17}$',
    identifying: true,
    private: true,
    description: 'Vehicle identification number',
  },
  firstRegistration: { ...yearMonth, identifying: true, description: 'First registration' },
  modelYear: { type: 'integer', minimum: 1900, maximum: 2100, identifying: true, description: 'Model year' },
  mileageKm: count(2_000_000, 'km'),
  powerKw: { ...count(3000, 'kW'), readerUnit: horsepower },
  displacementCcm: count(20_000, 'cm³'),
  fuel: oneOf(
    'petrol',
    'diesel',
    'electric',
    'hybrid',
    'plug_in_hybrid',
    'lpg',
    'cng',
    'hydrogen',
    'ethanol',
    'other',
  ),
  transmission: oneOf('manual', 'automatic', 'semi_automatic'),
  driveType: oneOf('front', 'rear', 'all'),
  bodyType: oneOf(
    'saloon',
    'estate',
    'hatchback',
    'suv',
    'coupe',
    'convertible',
    'minivan',
    'pickup',
    'van',
    'other',
  ),
  doors: { type: 'integer', minimum: 0, maximum: 9 },
  seats: { type: 'integer', minimum: 1, maximum: 80 },
  exteriorColor: oneOf(
    'beige',
    'black',
    'blue',
    'bronze',
    'brown',
    'gold',
    'green',
    'grey',
    'orange',
    'pink',
    'purple',
    'red',
    'silver',
    'turquoise',
    'white',
    'yellow',
    'other',
  ),
  previousOwners: count(99),
  co2GramPerKm: count(2000, 'g/km'),
  consumptionLPer100Km: decimal(100, 'l/100 km'),
  consumptionKwhPer100Km: decimal(200, 'kWh/100 km'),
  rangeKm: count(5000, 'km'),
  batteryKwh: decimal(2000, 'kWh'),
  emissionClass: oneOf(
    'euro1',
    'euro2',
    'euro3',
    'euro4',
    'euro5',
    'euro6',
    'euro6c',
    'euro6d',
    'euro7',
    'none',
  ),
  inspectionUntil: { ...yearMonth },
  accidentDamaged: { type: 'boolean' },
  serviceHistory: { type: 'boolean' },
  features: {
    type: 'array',
    items: { type: 'string', enum: features },
    uniqueItems: true,
    maxItems: features.length,
  },
  damageNotes: { type: 'string', maxLength: 2000 },
};

/** Returns the schema of a vehicle category: its attributes, and those that publication requires. */
export function vehicleSchema({
  productType = 'Vehicle',
  without = [],
  required,
}: {
  productType?: CategorySchema['productType'];
  without?: string[];
  required: string[];
}): CategorySchema {
  const properties = Object.entries(vehicleAttributes).filter(([name]) => !without.includes(name));
  const labelled = properties.map(([name, schema]) => {
    const valueLabels = vehicleLabels[name];
    return [name, valueLabels ? { ...schema, valueLabels } : schema] as const;
  });
  return {
    type: 'object',
    productType,
    properties: Object.fromEntries(labelled),
    required,
    additionalProperties: false,
  };
}

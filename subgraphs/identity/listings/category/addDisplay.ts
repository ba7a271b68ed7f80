import type { AttributeSchema, CategorySchema } from './model.ts';
import { vehicleSchema } from './vehicleAttributes.ts';

const productTypes: Readonly<Record<string, CategorySchema['productType']>> = {
  cars: 'Car',
  motorcycles: 'Motorcycle',
  'commercial-vehicles': 'Vehicle',
};

/**
 * Returns the stored schema of a default category with the labels, units and product type that it lacks. Members that
 * it has are kept, and so are attributes that the default schema does not name, or has with another type.
 */
export function addDisplay(slug: string, stored: CategorySchema): CategorySchema {
  const { properties: known } = vehicleSchema({ required: [] });
  const productType = stored.productType ?? productTypes[slug];
  const properties = Object.entries(stored.properties).map(([name, attribute]) => {
    const built = known[name];
    return [name, built?.type === attribute.type ? withDisplay(attribute, built) : attribute] as const;
  });
  return { ...stored, ...(productType && { productType }), properties: Object.fromEntries(properties) };
}

function withDisplay(attribute: AttributeSchema, built: AttributeSchema): AttributeSchema {
  const { unit, readerUnit } = built;
  const valueLabels = labelsOf(attribute, built);
  // Another unit means that the number is another quantity.
  const isSameUnit = attribute.unit === undefined || attribute.unit === unit;
  return {
    ...(unit !== undefined && { unit }),
    ...(readerUnit && isSameUnit && { readerUnit }),
    ...(valueLabels && { valueLabels }),
    ...attribute,
  };
}

/** Returns the labels of the values that the stored attribute allows. */
function labelsOf(
  { enum: allowed }: AttributeSchema,
  { valueLabels }: AttributeSchema,
): AttributeSchema['valueLabels'] {
  if (!valueLabels || !allowed) return valueLabels;
  return Object.fromEntries(Object.entries(valueLabels).filter(([value]) => allowed.includes(value)));
}

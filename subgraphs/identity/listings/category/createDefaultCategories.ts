import { newId } from '../../../platform/ids/newId.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { CategoryModel, type CategoryRecord, type CategorySchema } from './model.ts';
import { vehicleSchema } from './vehicleAttributes.ts';

/** A category definition; a leaf has no children. */
interface Branch {
  slug: string;
  names: Record<string, string>;
  attributeSchema?: CategorySchema;
  children?: Branch[];
}

const essentials = ['make', 'model', 'firstRegistration', 'mileageKm', 'fuel'];

const tree: Branch[] = [
  {
    slug: 'vehicles',
    names: { en: 'Vehicles', de: 'Fahrzeuge' },
    children: [
      {
        slug: 'cars',
        names: { en: 'Cars', de: 'Autos' },
        attributeSchema: vehicleSchema({ productType: 'Car', required: [...essentials, 'transmission'] }),
      },
      {
        slug: 'motorcycles',
        names: { en: 'Motorcycles', de: 'Motorräder' },
        attributeSchema: vehicleSchema({
          productType: 'Motorcycle',
          without: ['doors', 'bodyType'],
          required: essentials,
        }),
      },
      {
        slug: 'commercial-vehicles',
        names: { en: 'Commercial vehicles', de: 'Nutzfahrzeuge' },
        attributeSchema: vehicleSchema({ required: essentials }),
      },
    ],
  },
  {
    slug: 'parts',
    names: { en: 'Parts and accessories', de: 'Teile und Zubehör' },
    children: [
      { slug: 'spare-parts', names: { en: 'Spare parts', de: 'Ersatzteile' } },
      { slug: 'wheels', names: { en: 'Wheels and tyres', de: 'Räder und Reifen' } },
      { slug: 'accessories', names: { en: 'Accessories', de: 'Zubehör' } },
    ],
  },
  { slug: 'other', names: { en: 'Other', de: 'Sonstiges' } },
];

/**
 * Creates the default categories of an installation. Existing ones, by slug, are not changed, so the function can be
 * repeated.
 *
 * @returns ids by slug
 */
export async function createDefaultCategories(
  installationId: string,
  at: Date,
): Promise<Readonly<Record<string, string>>> {
  const categories = scoped(CategoryModel, installationId);
  const ids: Record<string, string> = {};
  const store = async (branch: Branch, position: number, parent: CategoryRecord | null): Promise<void> => {
    const { slug, names, attributeSchema = null, children = [] } = branch;
    const ancestorIds = parent ? [...parent.ancestorIds, parent._id] : [];
    const record = await categories
      .insert({
        _id: newId('category'),
        slug,
        names,
        attributeSchema,
        ancestorIds,
        position,
        parentId: parent?._id ?? null,
        leaf: children.length === 0,
        createdAt: at,
        updatedAt: at,
      })
      .catch(async (error: unknown) => {
        const present = isDuplicateKey(error) ? await categories.findOne({ slug }) : null;
        if (!present) throw error;
        return present;
      });
    ids[slug] = record._id;
    for (const [index, child] of children.entries()) await store(child, index, record);
  };
  for (const [index, branch] of tree.entries()) await store(branch, index, null);
  return ids;
}

import type { Migration } from '../../platform/migration/Migration.ts';
import { addDisplay } from '../listings/category/addDisplay.ts';
import type { CategorySchema } from '../listings/category/model.ts';

/**
 * Adds labels, units and the product type to the default categories that earlier releases created. These releases
 * refuse attribute schemas with members that they do not know, so it runs after their last process has ended.
 */
export const labelCategoryAttributes: Migration = {
  id: 'identity/0002-label-category-attributes',
  about: 'Adds labels and units to the attributes of the default categories.',
  phase: 'contract',
  async run({ database, eachBatch }) {
    const filter = {
      slug: { $in: ['cars', 'motorcycles', 'commercial-vehicles'] },
      attributeSchema: { $ne: null },
    };
    await eachBatch('categories', filter, async (batch) => {
      await database.collection('categories').bulkWrite(
        batch.map(({ _id, slug, attributeSchema }) => ({
          updateOne: {
            filter: { _id, attributeSchema },
            update: { $set: { attributeSchema: addDisplay(slug, attributeSchema as CategorySchema) } },
          },
        })),
      );
    });
  },
};

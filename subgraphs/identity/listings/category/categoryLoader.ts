import { recordLoader } from '../../../platform/mongo/recordLoader.ts';
import { CategoryModel } from './model.ts';

/** Categories by id, batched per request; null for an id of another installation. */
export const categoryLoader = recordLoader(CategoryModel, { type: 'category' });

import { recordLoader } from '../../../platform/context/recordLoader.ts';
import { CategoryModel } from './model.ts';

/** Categories by id, batched per request; null for an id of another installation. */
export const categoryLoader = recordLoader(CategoryModel, { type: 'category' });

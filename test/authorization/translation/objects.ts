import type { Cell } from '../matrix/Operation.ts';
import type { Rule } from '../matrix/rules.ts';
import type { Item, ItemName } from '../world/Item.ts';

export const reads = (reach: 'object_not_found' | 'relation_not_found' | 'translation_not_found'): Rule => ({
  kind: 'holds',
  permission: 'translations:read',
  reach,
});
export const everyItem: readonly ItemName[] = [
  'garage',
  'private',
  'elsewhere',
  'never',
  'dealer',
  'dealerElsewhere',
  'dealerNever',
  'media',
  'mediaElsewhere',
];
export const listings: readonly ItemName[] = ['garage', 'private', 'elsewhere', 'never'];

export const upper = ({ type, id }: Item) => ({ type: type.toUpperCase(), id });
export const lower = ({ type, id }: Item) => ({ type, id });
export const itemOf = ({ item }: Cell): Item => {
  if (!item) throw new Error('This case has no item.');
  return item;
};

/** A new object of the item's owner in another language. */
export const newListing = async ({ world, item }: Cell, language: string): Promise<string> =>
  item ? (await world.draft(item, { language })).id : '';

import type { ItemName } from '../Item.ts';
import type { Case, Cell } from '../Operation.ts';
import type { Rule } from '../rules.ts';

/** `seo:edit`, of an object within reach; another installation's object is missing. */
export const edits: Rule = { kind: 'holds', permission: 'seo:edit', reach: 'not_found' };
export const everyItem: readonly ItemName[] = [
  'garage',
  'private',
  'published',
  'elsewhere',
  'never',
  'dealer',
  'dealerElsewhere',
  'dealerNever',
];

/** The item as `SeoObjectRef`, in both styles. */
export const objectOf = ({ item }: Cell) => ({
  variable: { type: item?.type.toUpperCase(), id: item?.id },
  body: { type: item?.type, id: item?.id },
});

/** A case per object, whose input is the object and these members. */
export function onObjects(names: readonly ItemName[], members: object = {}): Case[] {
  return names.map((item) => ({
    item,
    call: (cell) => {
      const { variable, body } = objectOf(cell);
      return { variables: { input: { object: variable, ...members } }, body: { object: body, ...members } };
    },
  }));
}

import { onEach } from '../matrix/calls.ts';
import type { Case, Cell } from '../matrix/Operation.ts';
import type { Rule } from '../matrix/rules.ts';
import type { ItemName } from '../world/Item.ts';

/** `seo:edit` for objects within reach. An object of another installation is missing. */
export const edits: Rule = { kind: 'holds', permission: 'seo:edit', reach: 'not_found' };
/** Common members of the rows for one object. */
export const ofObject = { rule: edits, scope: 'content:seo' } as const;
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
  body: { type: item?.type ?? '', id: item?.id ?? '' },
});

/** A case per object, whose input is the object and these members. */
export function onObjects(members: object = {}, inGraphql: object = {}): Case[] {
  return onEach(everyItem, (_, cell) => {
    const { variable, body } = objectOf(cell);
    return {
      variables: { input: { object: variable, ...members, ...inGraphql } },
      body: { object: body, ...members },
    };
  });
}

/** A case whose input is a text instead of an object. */
export function inline(members: object = {}, inGraphql: object = {}): Case {
  const body = { content: '<p>A car.</p>', locale: 'en', ...members };
  return { name: 'inline', call: () => ({ variables: { input: { ...body, ...inGraphql } }, body }) };
}

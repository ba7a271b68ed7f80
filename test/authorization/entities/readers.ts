import { owns, type Rule } from '../matrix/rules.ts';
import { type Item, type ItemName, namesOf } from '../world/Item.ts';
import { breadthOf, isInOrder, type Person, people, type Who } from '../world/people.ts';
import type { EntityCell } from './EntityRow.ts';

export const listings: readonly ItemName[] = ['garage', 'private', 'published', 'elsewhere', 'never'];
export const dealers = namesOf('dealer');
export const pages = namesOf('page');
/** Pictures that no object uses. */
export const pictures: readonly ItemName[] = ['media', 'mediaPrivate', 'mediaElsewhere', 'mediaNever'];
export const itemsOf = { Listing: listings, Dealer: dealers, Media: pictures, Page: pages } as const;
/** Whether the item is public. The others are drafts. */
export const isPublic = ({ name }: Item) => name === 'published' || name === 'page';
export const anyIdentity: Rule = { kind: 'signed in' };
export const holdsAny = (who: Who, ...permissions: string[]) =>
  isInOrder(who) && permissions.some((name) => breadthOf(who, name) === 'any');

export const textScopes = ['content:seo', 'content:translate'];

/** Whether an API client has one of these scopes. Users need none. */
export function hasScope(who: Who, ...names: string[]): boolean {
  const { scopes }: Person = people[who];
  return !scopes || names.some((name) => scopes.includes(name));
}

/** Whether a caller can read the texts of an item: its owner, editors, translators, moderators, and all if it is public. */
export function readsTexts({ who, item }: EntityCell): boolean {
  if (item.where !== 'here') return false;
  if (item.type === 'dealer' || isPublic(item)) return true;
  const [scope, moderates] =
    item.type === 'media' ? ['media:read', 'media:moderate'] : ['listings:read', 'listings:moderate'];
  // Only owners can read the texts of papers.
  const forTexts = item.name !== 'mediaPaper';
  if (owns(who, item) && hasScope(who, scope, ...(forTexts ? textScopes : []))) return true;
  return holdsAny(who, moderates, ...(forTexts ? ['seo:edit', 'translations:read'] : []));
}

/** Expects an entity for callers who can know of it, and null for the others. */
export const known = (isKnown: (cell: EntityCell) => boolean) => (entity: any, cell: EntityCell) =>
  expect(entity !== null).toBe(isKnown(cell));

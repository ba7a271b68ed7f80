import { isId } from '../../platform/ids/newId.ts';

/** Types of objects that can be linked and translated, as they are stored. */
export type ObjectType = 'listing' | 'dealer' | 'media' | 'page';

/** Names an object: a marketplace object by its own id, a created translation by its `trn_` id. */
export interface ObjectRef {
  readonly type: ObjectType;
  readonly id: string;
}

/** GraphQL type of the marketplace objects of a type. */
export const marketplaceTypes = {
  listing: 'Listing',
  dealer: 'Dealer',
  media: 'Media',
  page: 'Page',
} as const satisfies Record<ObjectType, string>;

/** Whether what an id is of can be translated. */
export function isObjectType(type: string | null): type is ObjectType {
  return type !== null && Object.hasOwn(marketplaceTypes, type);
}

/** How records name an object, as in `listing:lst_…`. */
export function objectKeyOf({ type, id }: ObjectRef): string {
  return `${type}:${id}`;
}

/** The object that a record names. */
export function fromObjectKey(key: string): ObjectRef {
  const [type, id] = key.split(':') as [ObjectType, string];
  return { type, id };
}

/** Whether an id can be that of a created translation. */
export function isCreatedId(id: string): boolean {
  return isId('translation', id);
}

/** Whether an id can be one of the type at all; anything else does not exist, without a lookup. */
export function isObjectId({ type, id }: ObjectRef): boolean {
  return isId(type, id) || isCreatedId(id);
}

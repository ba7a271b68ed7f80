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

/** Returns whether objects of this type can be translated. */
export function isObjectType(type: string | null): type is ObjectType {
  return type !== null && Object.hasOwn(marketplaceTypes, type);
}

/** Returns the key of an object in records, as in `listing:lst_…`. */
export function objectKeyOf({ type, id }: ObjectRef): string {
  return `${type}:${id}`;
}

/** Returns the object of a record's key. */
export function fromObjectKey(key: string): ObjectRef {
  const [type, id] = key.split(':') as [ObjectType, string];
  return { type, id };
}

/** Returns whether an id can be that of a created translation. */
export function isCreatedId(id: string): boolean {
  return isId('translation', id);
}

/** Returns whether an id can be one of the type; any other id does not exist, without a lookup. */
export function isObjectId({ type, id }: ObjectRef): boolean {
  return isId(type, id) || isCreatedId(id);
}

import type { OwnedType } from '../../../platform/federation/askOwner.ts';
import type { SeoObjectRef } from '../../seo.generated.ts';

/** Kinds of objects, as they are stored; each names its id prefix and its type in the owning subgraph. */
export const ownedTypeOf = { listing: 'Listing', dealer: 'Dealer', page: 'Page' } as const satisfies Record<
  string,
  OwnedType
>;

/** Type of an object. */
export type ObjectType = keyof typeof ownedTypeOf;

/** One object of the installation. */
export interface ObjectRef {
  readonly type: ObjectType;
  readonly id: string;
}

/** Returns the object that an input names. */
export function toObjectRef({ type, id }: SeoObjectRef): ObjectRef {
  return { type, id };
}

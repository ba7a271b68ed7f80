import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isPublic } from '../../objects/marketplaceObject.ts';
import type { ObjectType } from '../../objects/ObjectRef.ts';
import { loadPublicHead } from '../../objects/objectHeads.ts';
import type { TranslationResolutionParent } from './resolve.ts';

/** Public types of objects. */
const shownTypes = {
  listing: 'CatalogListing',
  dealer: 'CatalogDealer',
  page: 'Page',
  // Readers see a file through the object that contains it.
  media: null,
} as const satisfies Record<ObjectType, string | null>;

/** An object as everybody sees it, for its owner to fill. */
export interface ShownObjectParent {
  readonly __typename: NonNullable<(typeof shownTypes)[ObjectType]>;
  readonly id: string;
}

/** Returns the other object of a chosen text; null if there is none, or it is not public. */
export async function linkedOf(
  context: RequestContext,
  { translation, asked }: TranslationResolutionParent,
): Promise<ShownObjectParent | null> {
  if (!translation || !asked || translation.record?.origin === 'created') return null;
  const { type, id } = translation.marketplaceObject;
  const shownType = shownTypes[type];
  if (shownType === null || (type === asked.type && id === asked.id)) return null;
  return isPublic(await loadPublicHead(context, translation.marketplaceObject))
    ? { __typename: shownType, id }
    : null;
}

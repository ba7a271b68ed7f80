import { permissionRequired } from '../../platform/auth/checkGuard.ts';
import { ownershipRequired } from '../../platform/auth/ownership.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { loadMarketplaceObject } from '../objects/marketplaceObject.ts';
import { objectKeyOf } from '../objects/ObjectRef.ts';
import { loadHead } from './loaders.ts';
import { isForReader } from './model.ts';
import { isEditor } from './policy.ts';
import type { TranslatableObject } from './TranslatableObject.ts';
import type { TranslationParent } from './TranslationParent.ts';

/** Returns the object of a resolver's parent, as its owner shows it to this caller. */
export async function locate(
  context: RequestContext,
  { ref, marketplaceObject, record }: TranslationParent,
  accessSource: 'ownerTexts' | 'ownerAccess' = 'ownerAccess',
): Promise<TranslatableObject> {
  const owned = await loadMarketplaceObject(context, marketplaceObject, accessSource);
  return { ref, key: objectKeyOf(ref), marketplaceObject, record, owned, accessSource };
}

/** Returns whether the caller sees the work on a translation, not only what readers get. */
export async function isEditorOf(
  context: RequestContext,
  { marketplaceObject, record, accessSource }: TranslationParent,
): Promise<boolean> {
  const viewer = context.viewerOrNull;
  // For a caller who may read everything, the head of a public object suffices.
  const suffices = accessSource === 'publicHeadOrOwner' && viewer?.breadthOf('translations:read') === 'any';
  const owned = await loadMarketplaceObject(
    context,
    marketplaceObject,
    suffices ? accessSource : 'ownerAccess',
  );
  return isEditor(viewer, { owned, record });
}

/**
 * Returns a resolver of a member about the work on a translation. Its guard has checked the permission. A caller who
 * holds it only for own objects gets null for another owner's live text in a list.
 *
 * @param ahead starts the member's queries to owners, which are batched with the access query, so that a list costs
 *   one query instead of two
 */
export function editorial<R>(
  resolve: (parent: TranslationParent, context: RequestContext) => R | Promise<R>,
  ahead?: (context: RequestContext, parent: TranslationParent) => Promise<unknown>,
) {
  return async (parent: TranslationParent, _: object, context: RequestContext): Promise<R | null> => {
    // The caller that awaits the result gets its failure.
    if (ahead && isComplete(parent)) ahead(context, parent).catch(() => undefined);
    return (await isEditorOf(context, parent)) ? resolve(await complete(context, parent), context) : null;
  };
}

function isComplete({ record }: TranslationParent): boolean {
  return record === null || !isForReader(record);
}

/** Adds the members for editors, which are not read when a text is chosen for a reader. */
async function complete(context: RequestContext, parent: TranslationParent): Promise<TranslationParent> {
  const { record } = parent;
  if (record === null || isComplete(parent)) return parent;
  const head = await loadHead(context, record._id);
  return { ...parent, record: head && { ...record, ...head } };
}

/** Returns the refusal of editorial members for a caller without identity, permission or ownership. */
export function refuseEditorial({ viewerOrNull }: RequestContext): AppError {
  if (viewerOrNull === null)
    return new AppError('token_missing', 'The editorial view needs an access token.');
  return viewerOrNull.breadthOf('translations:read') === null
    ? permissionRequired('translations:read')
    : ownershipRequired();
}

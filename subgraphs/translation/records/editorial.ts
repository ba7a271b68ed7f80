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

/** The object behind what a resolver was handed, as its owner shows it to this caller. */
export async function locate(
  context: RequestContext,
  { ref, marketplaceObject, record }: TranslationParent,
  accessSource: 'ownerTexts' | 'ownerAccess' = 'ownerAccess',
): Promise<TranslatableObject> {
  const owned = await loadMarketplaceObject(context, marketplaceObject, accessSource);
  return { ref, key: objectKeyOf(ref), marketplaceObject, record, owned, accessSource };
}

/** Whether the caller sees the work on a translation, not only what readers get. */
export async function isEditorOf(
  context: RequestContext,
  { marketplaceObject, record, accessSource }: TranslationParent,
): Promise<boolean> {
  const viewer = context.viewerOrNull;
  // For a caller who may read everything, the head of a public object is enough.
  const suffices = accessSource === 'publicHeadOrOwner' && viewer?.breadthOf('translations:read') === 'any';
  const owned = await loadMarketplaceObject(
    context,
    marketplaceObject,
    suffices ? accessSource : 'ownerAccess',
  );
  return isEditor(viewer, { owned, record });
}

/**
 * Resolver of a member about the work on a translation. Its guard has demanded the permission; a caller who holds it
 * for own objects only gets null for another owner's live text in a list.
 *
 * @param ahead what the member will ask of owners: put together with the question for the right to see it, so that a
 *   list costs one instead of two
 */
export function editorial<R>(
  resolve: (parent: TranslationParent, context: RequestContext) => R | Promise<R>,
  ahead?: (context: RequestContext, parent: TranslationParent) => Promise<unknown>,
) {
  return async (parent: TranslationParent, _: object, context: RequestContext): Promise<R | null> => {
    // The caller that awaits the answer gets its failure.
    if (ahead && isComplete(parent)) ahead(context, parent).catch(() => undefined);
    return (await isEditorOf(context, parent)) ? resolve(await complete(context, parent), context) : null;
  };
}

function isComplete({ record }: TranslationParent): boolean {
  return record === null || !isForReader(record);
}

/** With what only editors see: a text that was chosen for a reader was read without. */
async function complete(context: RequestContext, parent: TranslationParent): Promise<TranslationParent> {
  const { record } = parent;
  if (record === null || isComplete(parent)) return parent;
  const head = await loadHead(context, record._id);
  return { ...parent, record: head && { ...record, ...head } };
}

/** Refusal of what editors see, to a caller who is none: without identity, permission or ownership. */
export function refuseEditorial({ viewerOrNull }: RequestContext): AppError {
  if (viewerOrNull === null)
    return new AppError('token_missing', 'The editorial view needs an access token.');
  return viewerOrNull.breadthOf('translations:read') === null
    ? permissionRequired('translations:read')
    : ownershipRequired();
}

import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { ObjectRef } from '../../objects/ObjectRef.ts';
import { reachOf } from '../../records/policy.ts';
import { findObject } from '../../records/TranslatableObject.ts';
import type { QueryresolveTranslationsArgs } from '../../translation.generated.ts';
import {
  planResolution,
  type ResolutionPlan,
  resolveObject,
  type TranslationResolutionParent,
  unresolved,
} from './resolve.ts';

/**
 * Returns the texts of several objects in their order; an object without a text has a reason instead.
 *
 * @param omitWork whether no member for editors is requested
 */
export async function resolveTranslations(
  context: RequestContext,
  { objects, language, acceptLanguage, fallback = 'chain', view = 'public' }: QueryresolveTranslationsArgs,
  omitWork = false,
): Promise<TranslationResolutionParent[]> {
  const plan = await planResolution(context, {
    language,
    acceptLanguage: acceptLanguage ?? null,
    fallback,
    view,
    ...(omitWork && { omitWork }),
  });
  return Promise.all(objects.map(({ type, id }) => resolveReachable(context, { type, id }, plan)));
}

/** Returns the text of one of several objects, or the reason why this caller gets none. */
export async function resolveReachable(
  context: RequestContext,
  ref: ObjectRef,
  plan: ResolutionPlan,
): Promise<TranslationResolutionParent> {
  const breadth = context.viewer.breadthOf('translations:read');
  // A caller who may read everything sees the texts of public objects without a query to the owner.
  const readsAsEverybody = plan.filter.omitWork && breadth === 'any';
  const object = await findObject(context, ref, readsAsEverybody ? 'publicHeadOrOwner' : 'ownerAccess');
  if (!object) return unresolved(plan, 'object_not_found');
  switch (reachOf(object, breadth)) {
    case 'missing':
      return unresolved(plan, 'object_not_found');
    case 'foreign':
      return unresolved(plan, 'ownership_required');
    case 'yes':
      return resolveObject(context, object, plan);
  }
}

import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { findLanguage } from '../../languages/language/LanguageParent.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import type { ObjectType } from '../../objects/ObjectRef.ts';
import { findObject, languageOf, type TranslatableObject } from '../../records/TranslatableObject.ts';
import type { ListingtranslationArgs } from '../../translation.generated.ts';
import { alternatesOf, assertEditorialGuard, resolveFor } from './entityResolvers.ts';

/**
 * Returns the resolvers that this subgraph adds to public types, also for anonymous callers. The readers' view comes
 * from the head of the object, without a query to its owner. Only editors get the editorial view.
 *
 * @param elseOwner whether the type also represents non-public objects, whose owner then decides about access
 */
export function readerResolvers(type: ObjectType, { elseOwner = false }: { elseOwner?: boolean } = {}) {
  const find = async (
    context: RequestContext,
    { id }: { id: string },
  ): Promise<TranslatableObject | null> => {
    if (!isId(type, id)) return null;
    const head = await findObject(context, { type, id }, 'publicHead');
    if (!elseOwner || head?.owned.exists || !context.viewerOrNull) return head;
    return findObject(context, { type, id }, 'ownerAccess');
  };
  return {
    __resolveReference: ({ id }: { id: string }) => ({ id }),
    language: async (parent: { id: string }, _: object, context: RequestContext) => {
      const object = await find(context, parent);
      if (!object?.owned.viewerCanRead) return null;
      return findLanguage(context, languageOf(await loadLanguageSettings(context), object));
    },
    translation: async (parent: { id: string }, args: ListingtranslationArgs, context: RequestContext) => {
      if ((args.view ?? 'public') === 'public') return resolveFor(context, await find(context, parent), args);
      // The permission is checked before the owner is queried.
      assertEditorialGuard(await context.identify(true), context);
      const object = isId(type, parent.id)
        ? await findObject(context, { type, id: parent.id }, 'ownerAccess')
        : null;
      return resolveFor(context, object, args);
    },
    alternates: async (parent: { id: string }, _: object, context: RequestContext) => {
      const object = await find(context, parent);
      return object ? alternatesOf(context, object) : [];
    },
  };
}

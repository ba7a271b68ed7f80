import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { findLanguage } from '../../languages/language/LanguageParent.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import type { ObjectType } from '../../objects/ObjectRef.ts';
import { findObject, languageOf, type TranslatableObject } from '../../records/TranslatableObject.ts';
import type { ListingtranslationArgs } from '../../translation.generated.ts';
import { alternatesOf, assertEditorialGuard, resolveFor } from './entityResolvers.ts';

/**
 * What this subgraph adds to what everybody may read, strangers too: the view of readers comes from the head of the
 * object and costs no question to its owner; the view of editors is theirs alone.
 *
 * @param elseOwner whether the type also stands for what is not public, which its owner then shows to whom it may
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
      // The right is looked at before anything is asked of the owner.
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

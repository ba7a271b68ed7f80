import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { nameLanguage } from '../../languages/resolution/nameLanguage.ts';
import type { ObjectRef } from '../../objects/ObjectRef.ts';
import type { Texts } from '../../objects/translatableFields.ts';
import { loadStored } from '../../records/loaders.ts';
import { isEditor } from '../../records/policy.ts';
import { findObject } from '../../records/TranslatableObject.ts';
import { statusOf, type TranslationParent } from '../../records/TranslationParent.ts';
import { type Member, membersOf } from '../../relations/group/membersOf.ts';
import { urlOf } from '../../translations/reading/urlOf.ts';

/** Translations of an object for its resolvers. */
export interface TextInLanguageParent {
  readonly available: string[];
  readonly text: HeldTextParent | null;
}

/** A text of an object: its words, or whose own words it is. */
export interface HeldTextParent {
  readonly translation: TranslationParent;
  readonly live: boolean;
  /** Whether it is what is being worked on, where that is not what readers get. */
  readonly draft: boolean;
}

/**
 * Returns the text of an object in exactly one language: the work in progress for its editors, the published text for
 * other callers. It answers another subgraph, so it cannot query the owner. The head states the owner, and the other
 * subgraph queries it. Batched: any number of objects costs the same commands.
 */
export async function textIn(
  context: RequestContext,
  ref: ObjectRef,
  language: string,
): Promise<TextInLanguageParent> {
  const object = await findObject(context, ref, 'knownHead');
  if (!object) return { available: [], text: null };
  const settings = await loadLanguageSettings(context);
  const members = await membersOf(context, object, 'editorial');
  const seen = members.filter(
    (member) => member.object.key === object.key || isSeen(context, member, settings.byCode),
  );
  const wanted = nameLanguage(settings, language)?.code;
  const found = seen.find(({ translation }) => wanted !== undefined && translation.code === wanted);
  return {
    available: seen.flatMap(({ translation }) => settings.byCode.get(translation.code ?? '')?.bcp47 ?? []),
    text: found ? toHeldText(context, found) : null,
  };
}

/**
 * Returns whether a text is visible: to editors unless it is archived, to others if it is live in an active language.
 */
function isSeen(
  { viewerOrNull }: RequestContext,
  { object, translation, live }: Member,
  byCode: ReadonlyMap<string, { active: boolean }>,
): boolean {
  if (isEditor(viewerOrNull, object)) return statusOf(translation, object.owned) !== 'archived';
  return live && (byCode.get(translation.code ?? '')?.active ?? false);
}

function toHeldText({ viewerOrNull }: RequestContext, { object, translation, live }: Member): HeldTextParent {
  const isPublished = live && statusOf(translation, object.owned) === 'published';
  return { translation, live, draft: isEditor(viewerOrNull, object) && !isPublished };
}

/** Resolvers of `HeldText`. */
export const heldTextResolvers = {
  holderId: ({ translation }: HeldTextParent) => translation.marketplaceObject.id,
  textId: ({ translation: { record }, draft }: HeldTextParent) => {
    if (record?.origin !== 'created') return null;
    return draft ? `${record._id}/work` : record._id;
  },
  version: ({ translation: { record } }: HeldTextParent) =>
    record?.origin === 'created' ? record.version : 0,
  url: ({ translation }: HeldTextParent, _: object, context: RequestContext) => urlOf(context, translation),
  words: async (
    { translation: { record }, draft }: HeldTextParent,
    _: object,
    context: RequestContext,
  ): Promise<Texts | null> => {
    if (record?.origin !== 'created') return null;
    const stored = await loadStored(context, record._id);
    return (draft ? stored?.fields : stored?.publishedFields) ?? {};
  },
};

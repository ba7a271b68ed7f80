import { assertGuard } from '../../../platform/auth/checkGuard.ts';
import { type Asked, createSelectionTest } from '../../../platform/auth/selectionTest.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import type { Identity } from '../../../platform/principal/Identity.ts';
import {
  findLanguage,
  type LanguageParent,
  toLanguageParent,
} from '../../languages/language/LanguageParent.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { nameLanguage } from '../../languages/resolution/nameLanguage.ts';
import { toAlternates } from '../../languages/resolution/toAlternates.ts';
import type { ObjectType } from '../../objects/ObjectRef.ts';
import { assertReaches, isEditor } from '../../records/policy.ts';
import { findObject, languageOf, type TranslatableObject } from '../../records/TranslatableObject.ts';
import { isSource, statusOf, type TranslationParent, type View } from '../../records/TranslationParent.ts';
import { type Member, membersOf, visibleTo } from '../../relations/group/membersOf.ts';
import { groupOf, type RelationGroupParent } from '../../relations/group/RelationGroupParent.ts';
import type {
  HreflangAlternate,
  ListingtextInArgs,
  ListingtranslationArgs,
  ListingtranslationsArgs,
} from '../../translation.generated.ts';
import {
  planResolution,
  resolveObject,
  type TranslationResolutionParent,
} from '../../translations/reading/resolve.ts';
import { urlOf } from '../../translations/reading/urlOf.ts';
import { textIn } from './textIn.ts';

/** A listing of the identity subgraph. */
export interface ListingParent {
  readonly id: string;
}

/** A dealer of the identity subgraph. */
export interface DealerParent {
  readonly id: string;
}

/** A file of the identity subgraph. */
export interface MediaParent {
  readonly id: string;
}

/** A page of the identity subgraph. */
export interface PageParent {
  readonly id: string;
}

/** Parent of an alternate, with its language. */
export type AlternateParent = Omit<HreflangAlternate, 'language'> & { language: LanguageParent | null };

const asksForTexts = createSelectionTest(['fields']);

/**
 * Returns the resolvers that this subgraph adds to a marketplace type. They are batched, so a list costs as much as one
 * entry.
 */
export function entityResolvers(type: ObjectType) {
  const find = async (context: RequestContext, { id }: { id: string }): Promise<TranslatableObject | null> =>
    isId(type, id) ? findObject(context, { type, id }, 'ownerAccess') : null;
  return {
    __resolveReference: ({ id }: { id: string }) => ({ id }),
    language: async (parent: ListingParent, _: object, context: RequestContext) => {
      const object = await find(context, parent);
      const isSeen = object && (object.owned.viewerCanRead || isEditor(context.viewerOrNull, object));
      return isSeen ? findLanguage(context, languageOf(await loadLanguageSettings(context), object)) : null;
    },
    relationGroup: async (
      parent: ListingParent,
      _: object,
      context: RequestContext,
    ): Promise<RelationGroupParent> => {
      const object = await find(context, parent);
      assertReaches(context, 'translations:read', object, 'object_not_found');
      return groupOf(context, object);
    },
    translations: async (
      parent: ListingParent,
      args: ListingtranslationsArgs,
      context: RequestContext,
      info: Asked,
    ) => listTranslations(context, await find(context, parent), args, asksForTexts(info)),
    translation: async (parent: ListingParent, args: ListingtranslationArgs, context: RequestContext) =>
      resolveFor(context, await find(context, parent), args),
    textIn: (parent: ListingParent, { language }: ListingtextInArgs, context: RequestContext) =>
      textIn(context, { type, id: parent.id }, language),
    alternates: async (parent: ListingParent, _: object, context: RequestContext) => {
      const object = await find(context, parent);
      return object ? alternatesOf(context, object) : [];
    },
  };
}

/**
 * Checks the guard of the editorial view, which a field for readers cannot state.
 *
 * @throws AppError `token_missing`, `permission_required`, `ownership_required`, …
 */
async function assertView(
  context: RequestContext,
  object: TranslatableObject | null,
  view: View,
): Promise<void> {
  if (view === 'public') return;
  assertEditorialGuard(await context.identify(true), context);
  assertReaches(context, 'translations:read', object, 'object_not_found');
}

/**
 * Checks the part of the editorial guard that depends only on the caller.
 *
 * @throws AppError `token_missing`, `permission_required`, …
 */
export function assertEditorialGuard(identity: Identity, context: RequestContext): void {
  const guard = {
    permission: { name: 'translations:read', breadth: 'OWN' },
    clientScope: 'content:translate',
  } as const;
  assertGuard(guard, identity, context);
}

async function listTranslations(
  context: RequestContext,
  object: TranslatableObject | null,
  { languages, view = 'public', includeSelf = false }: ListingtranslationsArgs,
  withTexts: boolean,
): Promise<TranslationParent[]> {
  await assertView(context, object, view);
  if (!object) return [];
  const settings = await loadLanguageSettings(context);
  const wanted = languages && new Set(languages.map((language) => nameLanguage(settings, language)?.code));
  const members = await membersOf(context, object, view, withTexts);
  const shown = view === 'public' ? await liveOf(context, members) : notArchived(context, members);
  return shown
    .filter((member) => includeSelf || member.object.key !== object.key)
    .map(({ translation }) => translation)
    .filter(({ code }) => !wanted || (code !== null && wanted.has(code)));
}

export async function resolveFor(
  context: RequestContext,
  object: TranslatableObject | null,
  { language, acceptLanguage, fallback = 'chain', view = 'public' }: ListingtranslationArgs,
): Promise<TranslationResolutionParent | null> {
  await assertView(context, object, view);
  // An invalid language is reported even if the object has no texts.
  const plan = await planResolution(context, {
    language: language ?? null,
    acceptLanguage: acceptLanguage ?? null,
    fallback,
    view,
  });
  return object ? resolveObject(context, object, plan) : null;
}

export async function alternatesOf(
  context: RequestContext,
  object: TranslatableObject,
): Promise<AlternateParent[]> {
  const settings = await loadLanguageSettings(context);
  const live = await liveOf(context, await membersOf(context, object, 'public'));
  const pages = await Promise.all(
    live.map(async ({ translation }) => {
      const entry = settings.byCode.get(translation.code ?? '');
      const href = await urlOf(context, translation);
      if (!entry || href === null) return [];
      return [
        {
          entry,
          bcp47: entry.bcp47,
          href,
          isDefaultLanguage: entry === settings.default,
          isSource: isSource(translation),
        },
      ];
    }),
  );
  const entries = new Map(pages.flat().map((page) => [page.bcp47, page.entry]));
  return toAlternates(pages.flat()).map(({ hreflang, href, bcp47 }) => {
    const entry = bcp47 === null ? undefined : entries.get(bcp47);
    return { hreflang, href, language: entry ? toLanguageParent(settings, entry) : null };
  });
}

/** Returns the members that readers see: live, in an active language. */
async function liveOf(context: RequestContext, members: readonly Member[]): Promise<Member[]> {
  const { byCode } = await loadLanguageSettings(context);
  return members.filter(({ live, translation }) => live && byCode.get(translation.code ?? '')?.active);
}

/** Returns the members that editors work on. */
function notArchived(context: RequestContext, members: readonly Member[]): Member[] {
  return visibleTo(context, members).filter(
    ({ translation, object }) => statusOf(translation, object.owned) !== 'archived',
  );
}

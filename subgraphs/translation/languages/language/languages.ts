import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { LanguageList, QuerylanguagesArgs } from '../../translation.generated.ts';
import { type LanguageParent, toLanguageParent } from './LanguageParent.ts';
import { type LanguageSettings, loadLanguageSettings } from './languageSettings.ts';
import type { LanguageEntry } from './model.ts';
import { negotiate } from './negotiate.ts';
import { assertMayReadAllLanguages, mayReadAllLanguages } from './policy.ts';

/** Languages as their resolvers see them. */
export type LanguageListParent = Omit<LanguageList, 'items'> & { items: LanguageParent[] };

/** Returns the languages of one scope, each with its names in the reader's language. */
export async function languages(
  context: RequestContext,
  { scope = 'active', display, acceptLanguage }: QuerylanguagesArgs,
): Promise<LanguageListParent> {
  if (scope === 'all') await assertMayReadAllLanguages(context);
  const settings = await loadLanguageSettings(context);
  const entries = settings.all.filter(({ active }) => active || scope === 'all');
  const reader = display ?? negotiate(settings, acceptLanguage ?? '').bcp47;
  return toLanguageList(settings, entries, scope, reader);
}

/**
 * Returns languages with their names.
 *
 * @param reader tag of the language of the names
 */
export function toLanguageList(
  settings: LanguageSettings,
  entries: readonly LanguageEntry[],
  scope: LanguageList['scope'],
  reader: string,
): LanguageListParent {
  return {
    items: entries.map((entry) => toLanguageParent(settings, entry, reader)),
    total: entries.length,
    scope,
    defaultCode: settings.default.code,
    version: settings.version,
  };
}

/** Returns a language that the caller may see: an active one, or any for callers who may read all of them. */
export async function findVisibleLanguage(
  context: RequestContext,
  find: (settings: LanguageSettings) => LanguageEntry | null,
): Promise<LanguageParent | null> {
  const settings = await loadLanguageSettings(context);
  const entry = find(settings);
  const viewer = context.viewerOrNull;
  const visible = entry?.active || (viewer !== null && mayReadAllLanguages(viewer));
  return entry && visible ? toLanguageParent(settings, entry) : null;
}

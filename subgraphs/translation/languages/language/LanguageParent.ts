import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { type LanguageSettings, loadLanguageSettings } from './languageSettings.ts';
import type { LanguageEntry } from './model.ts';

/** A language as its resolvers see it. */
export interface LanguageParent {
  readonly entry: LanguageEntry;
  readonly settings: LanguageSettings;
  /** Tag of the language that `names.display` is in. */
  readonly reader: string;
}

/** Returns a configured language; names are in the default language unless the reader's language is given. */
export function toLanguageParent(
  settings: LanguageSettings,
  entry: LanguageEntry,
  reader: string = settings.default.bcp47,
): LanguageParent {
  return { entry, settings, reader };
}

/** Returns the configured language of a stored code; null if it is no longer configured. */
export async function findLanguage(
  context: RequestContext,
  code: string | null,
): Promise<LanguageParent | null> {
  if (code === null) return null;
  const settings = await loadLanguageSettings(context);
  const entry = settings.byCode.get(code);
  return entry ? toLanguageParent(settings, entry) : null;
}

import { toCanonicalTag } from '../../../platform/language/toCanonicalTag.ts';
import type { ConfiguredLanguage, LanguageIndex } from './ConfiguredLanguage.ts';
import { findNearest } from './findNearest.ts';

/** Returns the configured language with this code, alias, locale or tag, in any case; null if there is none. */
export function nameLanguage<L extends ConfiguredLanguage>(index: LanguageIndex<L>, text: string): L | null {
  const exact = index.byName.get(text.toLowerCase());
  if (exact) return exact;
  const canonical = toCanonicalTag(text);
  return canonical === null ? null : (index.byName.get(canonical.toLowerCase()) ?? null);
}

/**
 * Returns the configured language of a content with this tag: an exact match, otherwise the nearest of the same
 * language and script. `en-US` content therefore belongs to `en` if only that is configured.
 */
export function nameContentLanguage<L extends ConfiguredLanguage>(
  index: LanguageIndex<L>,
  tag: string,
): L | null {
  const named = nameLanguage(index, tag);
  if (named) return named;
  const canonical = toCanonicalTag(tag);
  return canonical === null ? null : (findNearest(canonical, index)[0] ?? null);
}

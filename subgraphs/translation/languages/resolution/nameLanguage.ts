import type { ConfiguredLanguage, LanguageIndex } from './ConfiguredLanguage.ts';
import { findNearest } from './findNearest.ts';
import { toCanonicalTag } from './toCanonicalTag.ts';

/** The configured language that a text names by code, alias, locale or tag, in any case; null when none does. */
export function nameLanguage<L extends ConfiguredLanguage>(index: LanguageIndex<L>, text: string): L | null {
  const exact = index.byName.get(text.toLowerCase());
  if (exact) return exact;
  const canonical = toCanonicalTag(text);
  return canonical === null ? null : (index.byName.get(canonical.toLowerCase()) ?? null);
}

/**
 * The configured language in which a content of this tag is written: the one it names, else the nearest of the same
 * language and script, so that `en-US` content belongs to `en` where only that is configured.
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

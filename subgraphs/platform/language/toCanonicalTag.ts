/**
 * Maximum length of a tag, beyond the minimum of RFC 5646, 4.4.1 (35), so that tags with variants and extensions are
 * accepted.
 */
const longestTag = 100;

/**
 * Returns the canonical form of a language tag (RFC 5646, UTS 35) in any case; an underscore counts as a hyphen.
 *
 * @returns null if it is malformed, longer than 100 characters, or names no language (`x-…` alone)
 */
export function toCanonicalTag(text: string): string | null {
  if (text.length > longestTag) return null;
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0] ?? null;
  } catch {
    return null;
  }
}

/** Variants that hosts append to a locale and that no registry knows; they stay apart as private use. */
const hostVariants: ReadonlySet<string> = new Set(['formal', 'informal']);

/**
 * Returns the tag of a host's locale: `pt_BR` is `pt-BR`. `de_DE_formal` is `de-DE-x-formal`, because as `de-DE` it
 * would duplicate the tag of another language.
 */
export function toTagOfLocale(locale: string): string | null {
  const parts = locale.split('_');
  const last = parts.at(-1) ?? '';
  const isHostVariant =
    parts.length > 1 && (hostVariants.has(last.toLowerCase()) || toCanonicalTag(locale) === null);
  if (!isHostVariant) return toCanonicalTag(locale);
  return toCanonicalTag(`${parts.slice(0, -1).join('-')}-x-${last}`);
}

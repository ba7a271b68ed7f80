import { toCanonicalTag } from './toCanonicalTag.ts';

/**
 * The only two language codes that CLDR's matching table puts at distance 1 (`languageMatching`, 48.2): browsers ask
 * sites that are configured as `no` for `nb`. The content of the next tier (`hr` and `bs`, `lb` and `de`) stays apart;
 * `readableLanguages` offers it to readers.
 */
const sameLanguage: Readonly<Record<string, string>> = { no: 'nb' };

/**
 * Returns language and likely script of a tag, as in `sr-Cyrl`. Readers of one such pair can read all of its tags,
 * without configuration. `und` for an invalid tag or one without a language.
 */
export function toKin(tag: string): string {
  const canonical = toCanonicalTag(tag);
  // Not read from Intl.Locale, because engines return either `und` or undefined for its language.
  if (canonical === null || /^und(-|$)/.test(canonical)) return 'und';
  const { language, script } = new Intl.Locale(canonical).maximize();
  return `${sameLanguage[language] ?? language}-${script ?? 'Zzzz'}`;
}

import { toCanonicalTag } from '../../../platform/language/toCanonicalTag.ts';
import type { ConfiguredLanguage, LanguageIndex } from './ConfiguredLanguage.ts';
import { findReadable } from './findNearest.ts';
import { nameLanguage } from './nameLanguage.ts';

/** Accepted fallbacks: the whole chain, the default language only, or none. */
export type FallbackMode = 'chain' | 'default' | 'none';

/** Reason why a language is in a chain. */
export type ChainStrategy = 'exact' | 'configured_fallback' | 'locale_match' | 'default_language';

/** Languages to try, in this order, each once. */
export interface Chain {
  readonly links: readonly { readonly code: string; readonly strategy: ChainStrategy }[];
  /** Whether the group's source serves when no link does. */
  readonly endsWithSource: boolean;
}

/**
 * Returns the fallback chain: the wanted language; its configured fallbacks, depth first; languages that its readers
 * can read, nearest first, with their configured fallbacks; the default language. Several wanted languages
 * (an `Accept-Language`) are tried in order, before the default.
 *
 * @param wanted codes, aliases, locales or tags, most wanted first; unknown but well-formed ones still match related
 *   languages
 */
export function buildChain(index: LanguageIndex, wanted: readonly string[], mode: FallbackMode): Chain {
  const links = new Map<string, ChainStrategy>();
  const add = (code: string, strategy: ChainStrategy): void => {
    if (!links.has(code)) links.set(code, strategy);
  };
  for (const want of wanted) {
    const exact = nameLanguage(index, want);
    if (exact) add(exact.code, 'exact');
    if (mode !== 'chain') continue;
    const addConfigured = (code: string): void => add(code, 'configured_fallback');
    if (exact) addFallbacks(index, exact, addConfigured);
    const tag = exact?.bcp47 ?? toCanonicalTag(want);
    const kin = tag === null ? [] : findReadable(tag, index);
    for (const { code } of kin) add(code, 'locale_match');
    // A reader of Canadian French gets the fallbacks that are configured for French.
    for (const near of kin) addFallbacks(index, near, addConfigured);
  }
  if (mode !== 'none') add(index.default.code, 'default_language');
  return {
    links: [...links].map(([code, strategy]) => ({ code, strategy })),
    endsWithSource: mode === 'chain',
  };
}

/**
 * Adds fallbacks depth first, each once. Configurations have no cycles, but the function would terminate even with one.
 */
function addFallbacks(index: LanguageIndex, from: ConfiguredLanguage, add: (code: string) => void): void {
  const seen = new Set([from.code]);
  const visit = (language: ConfiguredLanguage): void => {
    for (const code of language.fallbacks) {
      const next = index.byCode.get(code);
      if (!next || seen.has(code)) continue;
      seen.add(code);
      add(code);
      visit(next);
    }
  };
  visit(from);
}

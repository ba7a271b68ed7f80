import { LRUCache } from 'lru-cache';
import { buildChain } from '../resolution/buildChain.ts';
import { parseAcceptLanguage } from '../resolution/parseAcceptLanguage.ts';
import type { LanguageSettings } from './languageSettings.ts';
import type { LanguageEntry } from './model.ts';

/** Readers choose the header, so the number of remembered ones is bounded. */
const remembered = new WeakMap<LanguageSettings, LRUCache<string, LanguageEntry>>();

/**
 * Returns the active language that an `Accept-Language` requests, directly or through fallbacks; otherwise the default.
 */
export function negotiate(settings: LanguageSettings, acceptLanguage: string): LanguageEntry {
  let known = remembered.get(settings);
  if (!known) {
    known = new LRUCache({ max: 1000 });
    remembered.set(settings, known);
  }
  // Text beyond the parsed length must not be part of the key either.
  const key = acceptLanguage.slice(0, 1001);
  let language = known.get(key);
  if (!language) {
    const chain = buildChain(settings, parseAcceptLanguage(acceptLanguage), 'chain');
    const link = chain.links.find(({ code }) => settings.byCode.get(code)?.active);
    language = (link && settings.byCode.get(link.code)) ?? settings.default;
    known.set(key, language);
  }
  return language;
}

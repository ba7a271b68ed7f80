import type { ConfiguredLanguage, LanguageIndex } from './ConfiguredLanguage.ts';
import { findBestFit } from './findBestFit.ts';
import { toKin } from './toKin.ts';

/**
 * Returns active languages of the same language and script as the wanted tag, nearest first. Without this limit, the
 * matcher would offer Spanish to a reader of Catalan; installations can configure that as a fallback.
 *
 * @param wanted canonical tag
 */
export function findNearest<L extends ConfiguredLanguage>(wanted: string, index: LanguageIndex<L>): L[] {
  const kindred = (index.byKin.get(toKin(wanted)) ?? []).filter(({ active }) => active);
  const left = new Map(kindred.map((language) => [language.bcp47, language]));
  const nearest: L[] = [];
  while (left.size > 0) {
    // The matcher ignores private parts; such languages follow in their configured order.
    const tag = findBestFit([wanted], [...left.keys()]) ?? (left.keys().next().value as string);
    nearest.push(left.get(tag) as L);
    left.delete(tag);
  }
  return nearest;
}

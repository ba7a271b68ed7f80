import { readableKins } from '../../../platform/language/readableLanguages.ts';
import { toKin } from '../../../platform/language/toKin.ts';
import type { ConfiguredLanguage, LanguageIndex } from './ConfiguredLanguage.ts';
import { findBestFit } from './findBestFit.ts';

/**
 * Returns active languages of the same language and script as the wanted tag, nearest first. Without this limit, the
 * matcher would offer Spanish to a reader of Catalan; installations can configure that as a fallback.
 *
 * @param wanted canonical tag
 */
export function findNearest<L extends ConfiguredLanguage>(wanted: string, index: LanguageIndex<L>): L[] {
  return findNearestOf(toKin(wanted), wanted, index);
}

/**
 * Returns active languages that a reader of the wanted tag can read: those of the same language and script, then those
 * of `readableLanguages`, each nearest first.
 *
 * @param wanted canonical tag
 */
export function findReadable<L extends ConfiguredLanguage>(wanted: string, index: LanguageIndex<L>): L[] {
  const kin = toKin(wanted);
  return [kin, ...readableKins(kin)].flatMap((one) => findNearestOf(one, wanted, index));
}

function findNearestOf<L extends ConfiguredLanguage>(
  kin: string,
  wanted: string,
  index: LanguageIndex<L>,
): L[] {
  const kindred = (index.byKin.get(kin) ?? []).filter(({ active }) => active);
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

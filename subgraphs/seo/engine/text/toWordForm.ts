const nonAscii = /[^\0-\x7f]/;
/** Matches kana without combining marks, and ideographs, which have no other form. */
const plainEastAsian = /^[\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff]+$/;
const apostrophes = /[\u2018\u2019\u201b\u02bc\u02b9\u2032\uff07]/g;
const invisible = /[\u00ad\u200b\u2060\ufeff]/g;
const dottedLanguages = new Set(['tr', 'az']);

/**
 * Returns the form in which words are compared: NFKC, lower case (with the Turkish dotless i), typographic apostrophes
 * as `'`, soft hyphens and zero-width spaces removed. Accents are kept, because they distinguish words.
 */
export function toWordForm(word: string, language: string): string {
  if (!nonAscii.test(word))
    return dottedLanguages.has(language) ? word.toLocaleLowerCase(language) : word.toLowerCase();
  if (plainEastAsian.test(word)) return word;
  // Removed before NFKC and lower-cased after it, because a compatibility character may expand to capitals.
  const composed = word.replace(invisible, '').replace(apostrophes, "'").normalize('NFKC');
  return dottedLanguages.has(language) ? composed.toLocaleLowerCase(language) : composed.toLowerCase();
}

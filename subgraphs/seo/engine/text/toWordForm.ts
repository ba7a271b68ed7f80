const nonAscii = /[^\0-\x7f]/;
/** Kana without marks of their own, and ideographs: no other form of them is the same word. */
const plainEastAsian = /^[\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff]+$/;
const apostrophes = /[\u2018\u2019\u201b\u02bc\u02b9\u2032\uff07]/g;
const invisible = /[\u00ad\u200b\u2060\ufeff]/g;
const dottedLanguages = new Set(['tr', 'az']);

/**
 * The form in which two words are compared: NFKC, lower case (Turkish dotless i respected), typographic
 * apostrophes as `'`, soft hyphens and zero-width spaces removed. Accents stay: they tell words apart.
 */
export function toWordForm(word: string, language: string): string {
  if (!nonAscii.test(word))
    return dottedLanguages.has(language) ? word.toLocaleLowerCase(language) : word.toLowerCase();
  if (plainEastAsian.test(word)) return word;
  // Removed before NFKC as well as lower-cased after it: a compatibility character may expand to capitals.
  const composed = word.replace(invisible, '').replace(apostrophes, "'").normalize('NFKC');
  return dottedLanguages.has(language) ? composed.toLocaleLowerCase(language) : composed.toLowerCase();
}

/**
 * Suffixes in the order in which a word carries them from its end: the indefinite or linking `ی`, possessive pronouns,
 * comparison, and the plural.
 */
const steps: readonly RegExp[] = [
  /\u200c?(?:هایی|های|هایم|هایت|هایش|هایمان|هایتان|هایشان|ها)$/u,
  /(?<=.{3})\u200c?(?:مان|تان|شان)$/u,
  /(?<=.{2})\u200c?(?:ترین|تر)$/u,
  /(?<=.{4})ان$/u,
  /(?<=.{3})ات$/u,
  /\u200c(?:ام|ات|اش|ای|اند|ایم)$/u,
  /(?<=.{3})ی$/u,
];
const arabicLetters: Readonly<Record<string, string>> = {
  ك: 'ک',
  ي: 'ی',
  ى: 'ی',
  ۀ: 'ه',
  ة: 'ه',
  أ: 'ا',
  إ: 'ا',
};
const shortestStem = 2;

/**
 * Returns the light stem of a Persian word. The suffixes are those of the light stemmer in J. Savoy and L. Dolamic,
 * Persian Language, Is Stemming Efficient? (2009): plural, comparison and possessive, one pass in a fixed order.
 * Letters of Arabic keyboards are unified first.
 */
export function stemPersian(form: string): string {
  let stem = form.replace(/[كيىۀةأإ]/gu, (letter) => arabicLetters[letter] ?? letter);
  for (const step of steps) {
    const shorter = stem.replace(step, '');
    if (shorter.length >= shortestStem) stem = shorter;
  }
  return stem.replace(/\u200c+$/u, '');
}

/** Conjunctions, prepositions and the article, which Hebrew writes onto the next word: `הרכב`, `וברכב`. */
const prefixes = new Set('בלמהושכ');
/** Plurals, the feminine, and possessive pronouns of the plural, longest first. */
const suffixes = [
  'יותיהם',
  'ותיהם',
  'יותיו',
  'ותיו',
  'יהם',
  'יהן',
  'ינו',
  'יכם',
  'יות',
  'יים',
  'ים',
  'ות',
  'יו',
  'יה',
  'ית',
  'ה',
];
const finalLetters: Readonly<Record<string, string>> = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' };
const shortestStem = 3;

/**
 * Returns a Hebrew word without the ending of number, gender or possession, and then without prefixes. The affixes are
 * those of school grammar; no published algorithm without a dictionary was found. A prefix is not distinguishable from
 * a first letter, so `מחיר` and `המחיר` both lose it; words that differ only there meet too.
 */
export function stemHebrew(form: string): string {
  const suffix = suffixes.find((each) => form.endsWith(each) && form.length - each.length >= shortestStem);
  const bare = suffix ? form.slice(0, -suffix.length) : form;
  let start = 0;
  while (bare.length - start > shortestStem && prefixes.has(bare[start] ?? '')) start += 1;
  return bare.slice(start).replace(/[ךםןףץ]$/u, (letter) => finalLetters[letter] ?? letter);
}

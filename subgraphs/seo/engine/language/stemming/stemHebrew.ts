/** Conjunctions, prepositions and the article, which Hebrew writes onto the next word: `הרכב`, `וברכב`. */
const prefixes = new Set('בלמהושכ');
const shortestStem = 3;

/**
 * Returns a Hebrew word without the letters of prefixes at its start. Without a dictionary a prefix is not
 * distinguishable from a first letter, so `מחיר` and `המחיר` both lose it; words that differ only there meet too.
 */
export function stemHebrew(form: string): string {
  let start = 0;
  while (form.length - start > shortestStem && prefixes.has(form[start] ?? '')) start += 1;
  return form.slice(start);
}

import { capitalise } from '../fitText.ts';
import type { ProductFacts } from './productFacts.ts';

/** Number of facts behind the name, so that a title stays readable. */
const mostFacts = 3;

/** Returns the name of a product with the keyphrase: merged if it begins with the model, else in front of it. */
export function leadOf({ model, name }: ProductFacts, keyphrase: string): string {
  const wanted = keyphrase.toLowerCase();
  if (wanted === '' || name.toLowerCase().includes(wanted)) return name;
  if (!wanted.startsWith(model.toLowerCase())) return `${capitalise(keyphrase)}: ${name}`;
  const variant = name.slice(model.length).trim();
  const said = wordsOf(keyphrase);
  const rest = variant.split(' ').filter((word) => !said.includes(word.toLowerCase()));
  return [capitalise(keyphrase), ...rest].filter(Boolean).join(' ');
}

/**
 * Returns a line such as `Skoda Octavia Combi (2019), 150 hp, diesel, Cork`: as many facts as fit, the place before
 * minor ones.
 */
export function productLine(
  lead: string,
  { year, place, details }: ProductFacts,
  fits: (text: string) => boolean,
): string {
  const said = wordsOf(lead);
  const isNew = (fact: string): boolean => wordsOf(fact).some((word) => !said.includes(word));
  const dated = year && !said.includes(year) ? `${lead} (${year})` : lead;
  const [first, ...others] = details.filter(isNew);
  const byRank = [first, isNew(place) ? place : '', ...others].filter(
    (fact) => fact !== undefined && fact !== '',
  );
  const chosen: string[] = [];
  const inOrder = (facts: readonly (string | undefined)[]): string =>
    [dated, ...details.filter((fact) => facts.includes(fact)), facts.includes(place) ? place : '']
      .filter(Boolean)
      .join(', ');
  for (const fact of byRank)
    if (fact && chosen.length < mostFacts && fits(inOrder([...chosen, fact]))) chosen.push(fact);
  return inOrder(chosen);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

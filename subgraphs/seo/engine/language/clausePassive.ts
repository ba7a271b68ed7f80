import type { ClauseWord, FindPassives, WordRange } from './LanguageData.ts';

export interface ClauseRule {
  isAuxiliary: (form: string) => boolean;
  isParticiple: (form: string) => boolean;
  /** Conjunctions that start another clause even without punctuation. */
  clauseStarters: ReadonlySet<string>;
  /** German writes nouns with a capital: such a word is no participle. */
  capitalsAreNouns: boolean;
  /**
   * Returns whether a participle is also an infinitive. Such forms count only with an auxiliary that does not form the
   * future.
   */
  isAmbiguous: (form: string) => boolean;
  isPastAuxiliary: (form: string) => boolean;
}

function findInClause(
  sentence: readonly ClauseWord[],
  from: number,
  to: number,
  rule: ClauseRule,
): WordRange[] {
  const auxiliaries: number[] = [];
  const participles: number[] = [];
  for (let index = from; index < to; index += 1) {
    const word = sentence[index];
    if (!word) continue;
    if (rule.isAuxiliary(word.form)) auxiliaries.push(index);
    else if (rule.isParticiple(word.form) && !(rule.capitalsAreNouns && word.capitalised))
      participles.push(index);
  }
  const auxiliary = auxiliaries[0];
  // In the verbal bracket, the last of several candidates closes the clause.
  const participle = participles.at(-1);
  if (auxiliary === undefined || participle === undefined) return [];
  const isPast = auxiliaries.some((index) => rule.isPastAuxiliary(sentence[index]?.form ?? ''));
  if (!isPast && rule.isAmbiguous(sentence[participle]?.form ?? '')) return [];
  return [{ first: Math.min(auxiliary, participle), last: Math.max(auxiliary, participle) }];
}

/**
 * Returns the detector for languages with a verbal bracket (German "wurde gestern vom Händler geprüft", Dutch "werd …
 * verkocht"). Auxiliary and participle can be anywhere in one clause. Clauses end at punctuation and at subordinating
 * or coordinating conjunctions.
 */
export function clausePassive(rule: ClauseRule): FindPassives {
  return (sentence) => {
    const found: WordRange[] = [];
    let from = 0;
    for (let index = 1; index <= sentence.length; index += 1) {
      const word = sentence[index];
      if (word && !word.afterPunctuation && !rule.clauseStarters.has(word.form)) continue;
      found.push(...findInClause(sentence, from, index, rule));
      from = index;
    }
    return found;
  };
}

import type { ClauseWord, FindPassives, WordRange } from './LanguageData.ts';

export interface PeriphrasticRule {
  isAuxiliary: (form: string) => boolean;
  isParticiple: (form: string) => boolean;
  /** Returns whether a word may occur between auxiliary and participle; any other word ends the search. */
  mayStandBetween: (form: string) => boolean;
  /** Directly before the participle they make it an adjective: "very interested". */
  degreeWords: ReadonlySet<string>;
  /** Directly before the auxiliary they rule a passive out, e.g. a reflexive pronoun. */
  excludedBefore?: ReadonlySet<string>;
  /** Maximum number of words in between. */
  window: number;
  /** Whether a participle directly before the auxiliary is a passive too, as in Polish "używany będzie". */
  mayInvert?: boolean;
}

function findParticiple(
  sentence: readonly ClauseWord[],
  auxiliaryAt: number,
  rule: PeriphrasticRule,
): number {
  const lastCandidate = Math.min(auxiliaryAt + 1 + rule.window, sentence.length - 1);
  for (let index = auxiliaryAt + 1; index <= lastCandidate; index += 1) {
    const word = sentence[index];
    if (!word || word.afterPunctuation || rule.isAuxiliary(word.form)) return -1;
    // Within a sentence, a capital marks a name.
    if (word.capitalised) return -1;
    if (rule.isParticiple(word.form)) {
      const before = sentence[index - 1]?.form ?? '';
      return rule.degreeWords.has(before) ? -1 : index;
    }
    if (!rule.mayStandBetween(word.form)) return -1;
  }
  return -1;
}

/** Returns whether the word directly before the auxiliary is a participle of the same clause. */
function isInverted(sentence: readonly ClauseWord[], auxiliaryAt: number, rule: PeriphrasticRule): boolean {
  const auxiliary = sentence[auxiliaryAt];
  const before = sentence[auxiliaryAt - 1];
  if (!rule.mayInvert || !before || before.capitalised || auxiliary?.afterPunctuation) return false;
  const degree = sentence[auxiliaryAt - 2]?.form ?? '';
  return rule.isParticiple(before.form) && !rule.degreeWords.has(degree);
}

/**
 * Returns the detector for passives of an auxiliary closely followed by a participle (English "was quickly sold",
 * French "a été vendu"). It reads a bounded number of words ahead, never across punctuation, and reports nothing if in
 * doubt.
 */
export function periphrasticPassive(rule: PeriphrasticRule): FindPassives {
  return (sentence) => {
    const found: WordRange[] = [];
    for (let index = 0; index < sentence.length; index += 1) {
      const word = sentence[index];
      if (!word || !rule.isAuxiliary(word.form)) continue;
      if (rule.excludedBefore?.has(sentence[index - 1]?.form ?? '')) continue;
      const participleAt = findParticiple(sentence, index, rule);
      if (participleAt >= 0) {
        found.push({ first: index, last: participleAt });
        index = participleAt;
      } else if (isInverted(sentence, index, rule)) {
        found.push({ first: index - 1, last: index });
      }
    }
    return found;
  };
}

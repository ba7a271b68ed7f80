/** Rules by which the vowels of a language form syllables. */
export interface SyllableRule {
  vowels: string;
  /** Two adjacent vowels that are two syllables. */
  hiatus?: RegExp;
  /** Silent letters at the end; each match removes one syllable. */
  silentEnd?: RegExp;
}

/**
 * Counts groups of vowel letters as syllables, corrected by the language's rule. An estimate, as in every
 * readability formula that is computed without a pronouncing dictionary; a word has at least one syllable.
 */
export function countVowelGroups(rule: SyllableRule): (word: string) => number {
  const isVowel = new Set(rule.vowels);
  return (word) => {
    let groups = 0;
    let inGroup = false;
    for (const letter of word) {
      const vowel = isVowel.has(letter);
      if (vowel && !inGroup) groups += 1;
      inGroup = vowel;
    }
    if (rule.hiatus) groups += word.match(rule.hiatus)?.length ?? 0;
    if (groups > 1 && rule.silentEnd?.test(word)) groups -= 1;
    return Math.max(1, groups);
  };
}

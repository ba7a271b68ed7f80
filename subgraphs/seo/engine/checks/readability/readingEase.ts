import type { AnalysisContext } from '../AnalysisContext.ts';
import type { Check } from '../Check.ts';
import { proseSentences } from '../prose.ts';
import { rateByLowerLimits, roundTo2 } from '../rate.ts';

interface Averages {
  words: number;
  wordsPerSentence: number;
  syllablesPerWord: number;
}

function readAverages(context: AnalysisContext, countSyllables: (word: string) => number): Averages | null {
  const known = new Map<string, number>();
  const sentences = proseSentences(context);
  let words = 0;
  let syllables = 0;
  for (const index of sentences) {
    const { firstWord, endWord } = context.content.sentences[index] ?? { firstWord: 0, endWord: 0 };
    for (let at = firstWord; at < endWord; at += 1) {
      const form = context.content.words[at]?.form ?? '';
      let amount = known.get(form);
      if (amount === undefined) {
        amount = countSyllables(form);
        known.set(form, amount);
      }
      syllables += amount;
    }
    words += context.content.countWords(firstWord, endWord);
  }
  if (words === 0) return null;
  return { words, wordsPerSentence: words / sentences.length, syllablesPerWord: syllables / words };
}

export const readingEase: Check = {
  id: 'reading.ease',
  group: 'readability',
  title: 'Reading ease',
  description: 'A published formula of the Flesch family: 100 is very easy, 0 very difficult.',
  requires: ['content'],
  needs: 'readingEase',
  forRelated: false,
  evaluate(context) {
    const formula = context.language.readingEase;
    const rule = context.thresholds['reading.ease'];
    const averages = formula && readAverages(context, formula.countSyllables);
    if (!formula || !averages || averages.words < rule.fewestWords)
      return { notApplicable: 'text_too_short' };
    const { wordsPerSentence, syllablesPerWord } = averages;
    const score = Math.round(Math.min(100, Math.max(0, formula.score(wordsPerSentence, syllablesPerWord))));
    const rating = rateByLowerLimits(score, rule.score);
    const value = {
      score,
      wordsPerSentence: roundTo2(wordsPerSentence),
      syllablesPerWord: roundTo2(syllablesPerWord),
      formula: formula.source,
    };
    const text =
      rating === 'good'
        ? `The text scores ${score} of 100 for reading ease and is easy to read.`
        : `The text scores ${score} of 100 for reading ease. Use shorter sentences and simpler words.`;
    return { rating, code: rating === 'good' ? 'good' : 'difficult', value, params: { score }, text };
  },
};

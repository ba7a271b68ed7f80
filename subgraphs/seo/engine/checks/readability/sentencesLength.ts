import type { PerLanguage } from '../../ruleset/Ruleset.ts';
import type { AnalysisContext } from '../AnalysisContext.ts';
import type { Check } from '../Check.ts';
import { mostPositions, sentencePosition } from '../positions.ts';
import { proseSentences } from '../prose.ts';
import { rateByUpperLimits, roundTo2 } from '../rate.ts';

function forLanguage<T>(table: PerLanguage<T>, language: string): T {
  return Object.hasOwn(table, language) ? (table[language] ?? table.default) : table.default;
}

function lengthOf(context: AnalysisContext, sentence: number, inCharacters: boolean): number {
  const found = context.content.sentences[sentence];
  if (!found) return 0;
  if (!inCharacters) return context.content.countWords(found.firstWord, found.endWord);
  return Array.from(context.document.text.slice(found.start, found.end)).length;
}

export const sentencesLength: Check = {
  id: 'sentences.length',
  group: 'readability',
  title: 'Sentence length',
  description: 'Only a small share of the sentences is long; how long depends on the language.',
  requires: ['content'],
  needs: null,
  forRelated: false,
  evaluate(context) {
    const rule = context.thresholds['sentences.length'];
    const code = context.language.code;
    const characters = Object.hasOwn(rule.characters, code) ? rule.characters[code] : undefined;
    const limit = characters ?? forLanguage(rule.words, code);
    const sentences = proseSentences(context);
    if (sentences.length === 0 || sentences.length < rule.fewestSentences)
      return { notApplicable: 'text_too_short' };
    const long = sentences.filter(
      (sentence) => lengthOf(context, sentence, characters !== undefined) > limit,
    );
    const share = long.length / sentences.length;
    const limits = forLanguage(rule.longShare, code);
    const rating = rateByUpperLimits(share, limits);
    const percent = roundTo2(100 * share);
    const unit = characters === undefined ? 'words' : 'characters';
    const value = { sentences: sentences.length, long: long.length, percent, limit, unit };
    const positions = long.slice(0, mostPositions).map((sentence) => sentencePosition(context, sentence));
    if (rating === 'good') {
      return { rating, code: 'good', value, positions, text: 'Most sentences are short enough.' };
    }
    const most = roundTo2(100 * limits.good);
    return {
      rating,
      code: 'too_long',
      value,
      params: { percent, limit, unit, most },
      positions,
      text: `${percent} % of the sentences have more than ${limit} ${unit}; at most ${most} % should. Split some of them.`,
    };
  },
};

import { countUses } from '../../keyphrase/matchPhrase.ts';
import { hasStemmer } from '../../language/stemming/stem.ts';
import type { AnalysisContext } from '../AnalysisContext.ts';
import type { Check, Finding } from '../Check.ts';
import { wordPositions } from '../positions.ts';
import { count, roundTo2 } from '../rate.ts';

interface Expectation {
  min: number;
  max: number;
}

/**
 * Returns the weight of a match. Long keyphrases repeat less naturally, so a match of L content words counts 0.7 + L/3.
 */
function weightOf(contentWords: number): number {
  return 0.7 + contentWords / 3;
}

function expectationFor(context: AnalysisContext, contentWords: number): Expectation {
  const rule = context.thresholds['keyphrase.density'];
  const words = context.content.countWords();
  if (words < rule.shortTextWords) return rule.shortTextMatches;
  const maxPercent = hasStemmer(context.language.code) ? rule.percent.max : rule.maxPercentWithoutStems;
  const perPercent = words / (100 * weightOf(contentWords));
  return {
    min: Math.max(rule.fewestMatches, Math.ceil(rule.percent.min * perPercent)),
    max: Math.max(rule.fewestMatches, Math.floor(maxPercent * perPercent)),
  };
}

function rateDensity(matches: number, { min, max }: Expectation): Omit<Finding, 'value'> {
  const times = count(matches, 'time');
  if (matches === 0) {
    return {
      rating: 'bad',
      code: 'missing',
      text: `The text never uses the keyphrase. Use it ${min} to ${max} times.`,
    };
  }
  if (matches < min) {
    return {
      rating: 'bad',
      code: 'too_low',
      text: `The text uses the keyphrase ${times}, too rarely for its length. Use it ${min} to ${max} times.`,
    };
  }
  if (matches > max) {
    return {
      rating: 'bad',
      code: 'too_high',
      text: `The text uses the keyphrase ${times}, which reads as stuffed. Use it at most ${count(max, 'time')}.`,
    };
  }
  return { rating: 'good', code: 'good', text: `The text uses the keyphrase ${times}, a natural amount.` };
}

export const keyphraseDensity: Check = {
  id: 'keyphrase.density',
  group: 'keyphrase',
  title: 'Keyphrase density',
  description: 'The keyphrase should occur often enough to be the topic and rarely enough to read naturally.',
  requires: ['keyphrase', 'content'],
  needs: null,
  forRelated: true,
  evaluate(context) {
    if (!context.topic) return { notApplicable: 'no_keyphrase' };
    const complete = context.topic.matches.filter((match) => match.count > 0);
    const matches = countUses(complete);
    const contentWords = context.topic.phrase.contentWords;
    const expectation = expectationFor(context, contentWords);
    const percent = roundTo2((100 * matches * weightOf(contentWords)) / context.content.countWords());
    return {
      ...rateDensity(matches, expectation),
      value: { count: matches, requiredMin: expectation.min, requiredMax: expectation.max, percent },
      params: { count: matches, min: expectation.min, max: expectation.max },
      positions: wordPositions(
        context,
        complete.flatMap((match) => match.words),
      ),
    };
  },
};

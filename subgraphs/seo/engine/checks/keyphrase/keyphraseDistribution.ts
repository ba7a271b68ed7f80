import type { AnalysisContext, Topic } from '../AnalysisContext.ts';
import type { Check } from '../Check.ts';
import { sentencePosition } from '../positions.ts';
import { rateByUpperLimits, roundTo2 } from '../rate.ts';

/**
 * Returns whether a sentence is on topic: it contains all of up to three content words, or at least half of those of a
 * longer keyphrase.
 */
function isOnTopic(distinct: number, contentWords: number): boolean {
  return contentWords < 4 ? distinct === contentWords : distinct * 2 >= contentWords;
}

function sentencesOnTopic(topic: Topic): number[] {
  const sentences = new Set<number>();
  for (const [index, phrase] of topic.variants.entries()) {
    for (const match of topic.variantMatches[index] ?? []) {
      if (isOnTopic(match.distinct, phrase.stems.length)) sentences.add(match.sentence);
    }
  }
  return [...sentences].sort((a, b) => a - b);
}

/** Returns the longest run of sentences off topic: its first sentence and their number. */
function longestGap(onTopic: readonly number[], total: number): { from: number; length: number } {
  let gap = { from: 0, length: onTopic[0] ?? total };
  onTopic.forEach((sentence, index) => {
    const length = (onTopic[index + 1] ?? total) - sentence - 1;
    if (length > gap.length) gap = { from: sentence + 1, length };
  });
  return gap;
}

export const keyphraseDistribution: Check = {
  id: 'keyphrase.distribution',
  group: 'keyphrase',
  title: 'Keyphrase distribution',
  description:
    'The keyphrase or its synonyms should come up throughout the text, not only in one part of it.',
  requires: ['keyphrase', 'content'],
  needs: null,
  forRelated: true,
  evaluate(context: AnalysisContext) {
    const rule = context.thresholds['keyphrase.distribution'];
    const total = context.content.sentences.length;
    if (!context.topic) return { notApplicable: 'no_keyphrase' };
    if (total < rule.fewestSentences) return { notApplicable: 'text_too_short' };
    const onTopic = sentencesOnTopic(context.topic);
    const gap = longestGap(onTopic, total);
    const share = roundTo2(gap.length / total);
    const value = { sentences: total, onTopic: onTopic.length, longestGap: gap.length, gapShare: share };
    if (onTopic.length === 0) {
      return {
        rating: 'bad',
        code: 'missing',
        value,
        text: 'No sentence names the keyphrase or a synonym. Use them throughout.',
      };
    }
    const rating = rateByUpperLimits(gap.length / total, rule.gapShare);
    if (rating === 'good') {
      return {
        rating,
        code: 'good',
        value,
        text: 'The keyphrase and its synonyms are spread well over the text.',
      };
    }
    return {
      rating,
      code: 'uneven',
      value,
      params: { sentences: gap.length },
      positions: [sentencePosition(context, gap.from)],
      text: `${gap.length} sentences in a row do not name the keyphrase or a synonym. Bring it up there too.`,
    };
  },
};

import type { Position } from '../../contract.ts';
import type { Check } from '../Check.ts';
import { contentPosition, mostPositions } from '../positions.ts';
import { proseSentences, toClauseWords } from '../prose.ts';
import { rateByUpperLimits, roundTo2 } from '../rate.ts';

export const passiveShare: Check = {
  id: 'passive.share',
  group: 'readability',
  title: 'Passive voice',
  description: 'Active sentences are easier to read than passive ones.',
  requires: ['content'],
  needs: 'findPassives',
  forRelated: false,
  evaluate(context) {
    const { content, language, thresholds } = context;
    const sentences = proseSentences(context);
    const rule = thresholds['passive.share'];
    const isTooShort = sentences.length === 0 || sentences.length < rule.fewestSentences;
    if (isTooShort || !language.findPassives) return { notApplicable: 'text_too_short' };
    const positions: Position[] = [];
    let passive = 0;
    for (const index of sentences) {
      const sentence = content.sentences[index];
      if (!sentence) continue;
      const found = language.findPassives(toClauseWords(context, sentence));
      if (found.length > 0) passive += 1;
      for (const { first, last } of found) {
        if (positions.length >= mostPositions) break;
        const start = content.words[sentence.firstWord + first]?.start ?? sentence.start;
        const end = content.words[sentence.firstWord + last]?.end ?? sentence.end;
        positions.push(contentPosition(context, start, end));
      }
    }
    const share = passive / sentences.length;
    const limits = rule.share;
    const rating = rateByUpperLimits(share, limits);
    const percent = roundTo2(100 * share);
    const value = { sentences: sentences.length, passive, percent };
    if (rating === 'good') {
      return { rating, code: 'good', value, positions, text: 'Few sentences are passive.' };
    }
    const most = roundTo2(100 * limits.good);
    const text = `${percent} % of the sentences are passive; at most ${most} % should be. Say who does it.`;
    return { rating, code: 'too_many', value, params: { percent, most }, positions, text };
  },
};

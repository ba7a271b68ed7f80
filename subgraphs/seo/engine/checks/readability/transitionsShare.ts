import { findTransition } from '../../language/findTransition.ts';
import type { Check } from '../Check.ts';
import { mostPositions, sentencePosition } from '../positions.ts';
import { formsOf, proseSentences } from '../prose.ts';
import { rateByLowerLimits, roundTo2 } from '../rate.ts';

export const transitionsShare: Check = {
  id: 'transitions.share',
  group: 'readability',
  title: 'Transition words',
  description: 'Words such as “because” or “however” show how sentences relate to each other.',
  requires: ['content'],
  needs: 'transitions',
  forRelated: false,
  evaluate(context) {
    const rule = context.thresholds['transitions.share'];
    const sentences = proseSentences(context);
    if (context.content.countWords() < rule.fewestWords || sentences.length === 0) {
      return { notApplicable: 'text_too_short' };
    }
    const connected = sentences.filter((index) => {
      const sentence = context.content.sentences[index];
      return sentence !== undefined && findTransition(formsOf(context, sentence), context.language) !== null;
    });
    const share = connected.length / sentences.length;
    const rating = rateByLowerLimits(share, rule.share);
    const percent = roundTo2(100 * share);
    const value = { sentences: sentences.length, withTransition: connected.length, percent };
    const positions = connected.slice(0, mostPositions).map((index) => sentencePosition(context, index));
    if (rating === 'good') {
      return {
        rating,
        code: 'good',
        value,
        positions,
        text: 'Enough sentences have transition words.',
      };
    }
    const fewest = roundTo2(100 * rule.share.good);
    const text = `${percent} % of the sentences have a transition word; ${fewest} % or more read better. Tie sentences together.`;
    return { rating, code: 'too_few', value, params: { percent, fewest }, positions, text };
  },
};

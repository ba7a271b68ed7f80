import type { Check } from '../Check.ts';
import { rateByUpperLimits } from '../rate.ts';

export const keyphraseUnique: Check = {
  id: 'keyphrase.unique',
  group: 'keyphrase',
  title: 'Keyphrase not used before',
  description: 'Two pages of a site with the same keyphrase compete with each other.',
  requires: ['surroundings', 'keyphrase'],
  needs: null,
  forRelated: false,
  evaluate({ input, thresholds }) {
    const uses = input.surroundings?.keyphraseUses ?? 0;
    const rating = rateByUpperLimits(uses, thresholds['keyphrase.unique'].uses);
    const value = { uses };
    if (rating === 'good') return { rating, code: 'good', value, text: 'No other page uses the keyphrase.' };
    const text =
      uses === 1
        ? 'Another page already uses the keyphrase. Choose another one, or merge the two pages.'
        : 'Several other pages already use the keyphrase. Choose another one.';
    return { rating, code: uses === 1 ? 'used_once' : 'used_often', value, params: value, text };
  },
};

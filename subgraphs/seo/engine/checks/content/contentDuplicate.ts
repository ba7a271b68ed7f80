import type { Check } from '../Check.ts';

export const contentDuplicate: Check = {
  id: 'content.duplicate',
  group: 'content',
  title: 'No near copy',
  description: 'A page that nearly copies another is listed only once.',
  requires: ['surroundings', 'content'],
  needs: null,
  forRelated: false,
  evaluate({ input, content, thresholds }) {
    const rule = thresholds['content.duplicate'];
    if (content.words.length < rule.fewestWords) return { notApplicable: 'text_too_short' };
    const nearest = input.surroundings?.nearestCopy ?? null;
    const value = { distance: nearest };
    if (nearest === null || nearest > rule.distance) {
      return { rating: 'good', code: 'good', value, text: 'No other page says nearly the same.' };
    }
    const text = 'Another published page says nearly the same. Write what sets this one apart.';
    return { rating: 'bad', code: 'near_copy', value, params: { distance: nearest }, text };
  },
};

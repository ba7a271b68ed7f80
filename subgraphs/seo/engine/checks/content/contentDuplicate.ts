import type { Check } from '../Check.ts';

export const contentDuplicate: Check = {
  id: 'content.duplicate',
  group: 'content',
  title: 'No near copy',
  description: 'Search engines list only one of several nearly identical pages.',
  requires: ['surroundings', 'content'],
  needs: null,
  forRelated: false,
  evaluate({ input, content, thresholds }) {
    const rule = thresholds['content.duplicate'];
    if (content.countWords() < rule.fewestWords) return { notApplicable: 'text_too_short' };
    const nearest = input.surroundings?.nearestCopy ?? null;
    const value = { distance: nearest };
    if (nearest === null || nearest > rule.distance) {
      return { rating: 'good', code: 'good', value, text: 'No other page has nearly the same text.' };
    }
    const text = 'Another published page has nearly the same text. Write what distinguishes this one.';
    return { rating: 'bad', code: 'near_copy', value, params: { distance: nearest }, text };
  },
};

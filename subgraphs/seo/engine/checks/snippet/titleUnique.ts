import type { Check } from '../Check.ts';

export const titleUnique: Check = {
  id: 'title.unique',
  group: 'snippet',
  title: 'Title not used before',
  description: 'Every published page of a language should have its own title.',
  requires: ['surroundings', 'title'],
  needs: null,
  forRelated: false,
  evaluate({ input }) {
    const uses = input.surroundings?.titleUses ?? 0;
    const value = { uses };
    if (uses === 0) return { rating: 'good', code: 'good', value, text: 'No other page has this title.' };
    const text = 'Another published page has the same title. Add what only this page offers.';
    return { rating: 'bad', code: 'duplicate', value, params: value, text };
  },
};

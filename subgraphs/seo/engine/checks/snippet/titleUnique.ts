import type { Check } from '../Check.ts';

export const titleUnique: Check = {
  id: 'title.unique',
  group: 'snippet',
  title: 'Title not used before',
  description: 'Each published page of a language has a title of its own.',
  requires: ['surroundings', 'title'],
  needs: null,
  forRelated: false,
  evaluate({ input }) {
    const uses = input.surroundings?.titleUses ?? 0;
    const value = { uses };
    if (uses === 0) return { rating: 'good', code: 'good', value, text: 'No other page has this title.' };
    const text = 'Another published page has the same title. Say in it what only this page has.';
    return { rating: 'bad', code: 'duplicate', value, params: value, text };
  },
};

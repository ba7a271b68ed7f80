import type { Check } from '../Check.ts';

export const metaUnique: Check = {
  id: 'meta.unique',
  group: 'snippet',
  title: 'Meta description not used before',
  description: 'Every published page of a language should have its own description.',
  requires: ['surroundings', 'metaDescription'],
  needs: null,
  forRelated: false,
  evaluate({ input }) {
    const uses = input.surroundings?.descriptionUses ?? 0;
    const value = { uses };
    if (uses === 0)
      return { rating: 'good', code: 'good', value, text: 'No other page has this description.' };
    const text = 'Another published page has the same meta description. Write one for this page.';
    return { rating: 'bad', code: 'duplicate', value, params: value, text };
  },
};

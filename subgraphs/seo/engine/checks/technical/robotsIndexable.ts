import type { Check } from '../Check.ts';

export const robotsIndexable: Check = {
  id: 'robots.indexable',
  group: 'technical',
  title: 'Indexable',
  description: 'A page marked noindex does not appear in search results, whatever else is good about it.',
  requires: [],
  needs: null,
  forRelated: false,
  evaluate({ input }) {
    if (!input.noindex) {
      return { rating: 'good', code: 'good', value: true, text: 'Search engines may list the page.' };
    }
    const text = 'The page is marked noindex and cannot be found by search. Remove the mark if it should be.';
    return { rating: 'bad', code: 'noindex', value: false, text };
  },
};

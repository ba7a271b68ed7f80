import type { Check } from '../Check.ts';

export const robotsIndexable: Check = {
  id: 'robots.indexable',
  group: 'technical',
  title: 'Indexable',
  description: 'A page marked noindex does not appear in search results.',
  requires: [],
  needs: null,
  forRelated: false,
  evaluate({ input }) {
    if (!input.noindex) {
      return { rating: 'good', code: 'good', value: true, text: 'Search engines may list the page.' };
    }
    const text =
      'The page is marked noindex, so search engines do not list it. Remove noindex if they should.';
    return { rating: 'bad', code: 'noindex', value: false, text };
  },
};

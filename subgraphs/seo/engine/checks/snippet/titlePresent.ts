import type { Check } from '../Check.ts';

export const titlePresent: Check = {
  id: 'title.present',
  group: 'snippet',
  title: 'Title',
  description: 'Every page needs a title: it is the headline of the search result.',
  requires: [],
  needs: null,
  forRelated: false,
  evaluate({ title }) {
    if (title) return { rating: 'good', code: 'good', value: true, text: 'The page has a title.' };
    return {
      rating: 'bad',
      code: 'missing',
      value: false,
      text: 'The page has no title. Write one that names its topic.',
    };
  },
};

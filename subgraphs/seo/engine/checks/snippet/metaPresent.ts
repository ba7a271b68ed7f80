import type { Check } from '../Check.ts';

export const metaPresent: Check = {
  id: 'meta.present',
  group: 'snippet',
  title: 'Meta description',
  description: 'Without a description, search engines show an arbitrary sentence of the page.',
  requires: [],
  needs: null,
  forRelated: false,
  evaluate({ metaDescription }) {
    if (metaDescription)
      return { rating: 'good', code: 'good', value: true, text: 'The page has a meta description.' };
    return {
      rating: 'bad',
      code: 'missing',
      value: false,
      text: 'The page has no meta description. Write one or two sentences that make readers want to open it.',
    };
  },
};

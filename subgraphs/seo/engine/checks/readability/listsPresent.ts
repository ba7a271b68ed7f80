import type { Check } from '../Check.ts';
import { count } from '../rate.ts';

export const listsPresent: Check = {
  id: 'lists.present',
  group: 'readability',
  title: 'Lists',
  description: 'A list shows the features of a product at a glance.',
  requires: ['content'],
  needs: null,
  forRelated: false,
  evaluate({ document }) {
    const value = { lists: document.lists };
    if (document.lists > 0) {
      return { rating: 'good', code: 'good', value, text: `The text has ${count(document.lists, 'list')}.` };
    }
    return {
      rating: 'bad',
      code: 'missing',
      value,
      text: 'The text has no list. List the most important features.',
    };
  },
};

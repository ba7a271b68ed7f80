import type { Check } from '../Check.ts';

export const keyphraseFunctionWordsOnly: Check = {
  id: 'keyphrase.function_words_only',
  group: 'keyphrase',
  title: 'Keyphrase of function words only',
  description: 'A keyphrase without a content word names no topic.',
  requires: ['keyphrase'],
  needs: 'functionWords',
  forRelated: true,
  evaluate({ topic }) {
    const only = topic?.phrase.onlyFunctionWords ?? false;
    if (!only) return { rating: 'good', code: 'good', value: false, text: 'The keyphrase names a topic.' };
    return {
      rating: 'info',
      code: 'found',
      value: true,
      params: { keyphrase: topic?.phrase.text ?? '' },
      text: 'The keyphrase has function words only. Choose one that names what the page is about.',
    };
  },
};

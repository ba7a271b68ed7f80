import type { Check } from '../Check.ts';
import { fieldPosition } from '../positions.ts';
import { isWithin } from '../rate.ts';

const eastAsian = new Set(['ja', 'zh', 'ko']);

export const metaLength: Check = {
  id: 'meta.length',
  group: 'snippet',
  title: 'Meta description length',
  description: 'A description should use the space of the search result without being cut off.',
  requires: ['metaDescription'],
  needs: null,
  forRelated: false,
  evaluate({ metaDescription, language, thresholds }) {
    if (!metaDescription) return { notApplicable: 'no_meta_description' };
    const rule = thresholds['meta.length'];
    const range = eastAsian.has(language.code) ? rule.charactersEastAsian : rule.characters;
    const text = metaDescription.indexed.text;
    const characters = [...text.trim()].length;
    const value = { characters };
    const params = { characters, min: range.min, max: range.max };
    if (isWithin(characters, range)) {
      const message = `The meta description has ${characters} characters, a good length.`;
      return { rating: 'good', code: 'good', value, params, text: message };
    }
    const tooLong = characters > range.max;
    return {
      rating: 'ok',
      code: tooLong ? 'too_long' : 'too_short',
      value,
      params,
      positions: [fieldPosition(metaDescription, 0, text.length)],
      text: tooLong
        ? `The meta description has ${characters} characters and may be cut off. Shorten it to ${range.max}.`
        : `The meta description has only ${characters} characters. Use ${range.min} to ${range.max}.`,
    };
  },
};

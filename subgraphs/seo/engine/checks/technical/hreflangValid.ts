import type { Check } from '../Check.ts';

/** Language, script and region of RFC 5646, which is what search engines read. */
const tag = /^(?:x-default|[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?)$/i;

export const hreflangValid: Check = {
  id: 'hreflang.valid',
  group: 'technical',
  title: 'Language alternatives',
  description: 'Translations of a page should link to each other with valid language tags.',
  requires: ['surroundings'],
  needs: null,
  forRelated: false,
  evaluate({ input }) {
    const alternates = input.surroundings?.alternates ?? [];
    if (alternates.length === 0) return { notApplicable: 'no_translations' };
    const invalid = alternates.filter(({ language }) => !tag.test(language)).map(({ language }) => language);
    const oneSided = alternates.filter(({ reciprocal }) => !reciprocal).map(({ language }) => language);
    const value = { alternates: alternates.length, invalid, oneSided };
    if (invalid.length === 0 && oneSided.length === 0)
      return {
        rating: 'good',
        code: 'good',
        value,
        text: 'The translations of this page link to each other.',
      };
    if (invalid.length > 0) {
      const text = `“${invalid[0]}” is not a language tag that search engines support.`;
      return { rating: 'bad', code: 'invalid_tag', value, params: { language: invalid[0] ?? '' }, text };
    }
    const text = `The translation in “${oneSided[0]}” does not link back to this page.`;
    return { rating: 'bad', code: 'not_reciprocal', value, params: { language: oneSided[0] ?? '' }, text };
  },
};

import { decodeSlug, readSlugWords } from '../../text/readSlugWords.ts';
import type { Check } from '../Check.ts';
import { toExcerpt } from '../positions.ts';
import { rateByUpperLimits } from '../rate.ts';

const wellFormed = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}-]*$/u;
const strayHyphen = /^-|--|-$/;

/**
 * Removes slashes at both ends. It is a loop, because `\/+$` takes quadratic time on slashes that do not end the text.
 */
function trimSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === '/') start += 1;
  while (end > start && text[end - 1] === '/') end -= 1;
  return text.slice(start, end);
}

/** Each defect with the advice that removes it. */
const advice = {
  too_long: 'shorten it',
  too_many_words: 'keep only the words that matter',
  upper_case: 'write it in lower case',
  separators: 'separate words by single hyphens and use letters and digits only',
} as const;

export const slugFormat: Check = {
  id: 'slug.format',
  group: 'snippet',
  title: 'Slug format',
  description: 'A short address of lower-case words with hyphens is readable and survives being copied.',
  requires: ['slug'],
  needs: null,
  forRelated: false,
  evaluate({ slug, thresholds }) {
    if (slug === null) return { notApplicable: 'no_slug' };
    const rule = thresholds['slug.format'];
    const decoded = trimSlashes(decodeSlug(slug));
    const lowered = decoded.toLowerCase();
    const length = [...decoded].length;
    const words = readSlugWords(slug).length;
    const defects: (keyof typeof advice)[] = [];
    if (length > rule.characters) defects.push('too_long');
    if (words > rule.words) defects.push('too_many_words');
    if (lowered !== decoded) defects.push('upper_case');
    if (!wellFormed.test(lowered) || strayHyphen.test(lowered)) defects.push('separators');
    const rating = rateByUpperLimits(defects.length, rule.defects);
    const value = { characters: length, words, defects };
    if (rating === 'good') return { rating, code: 'good', value, text: 'The slug is short and well formed.' };
    return {
      rating,
      code: 'defects',
      value,
      params: { defects },
      positions: [{ field: 'slug', start: 0, end: slug.length, excerpt: toExcerpt(slug) }],
      text: `Improve the slug: ${defects.map((defect) => advice[defect]).join('; ')}.`,
    };
  },
};

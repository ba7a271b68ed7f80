import type { Check } from '../Check.ts';
import { rateByUpperLimits } from '../rate.ts';

const wanted = ['title', 'description', 'image'] as const;

/** Normalizes a name: `og:title`, `og_title`, `ogTitle` and `title` are equal. */
function toName(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/^og/, '');
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

export const socialOg: Check = {
  id: 'social.og',
  group: 'technical',
  title: 'Social preview',
  description: 'A shared link should have its own title, description and image.',
  requires: [],
  needs: null,
  forRelated: false,
  evaluate({ input, thresholds }) {
    const social = input.social;
    if (typeof social !== 'object' || social === null || Array.isArray(social)) {
      return { notApplicable: 'social_unknown' };
    }
    const filled = new Set(
      Object.entries(social)
        .filter(([, value]) => isFilled(value))
        .map(([key]) => toName(key)),
    );
    const missing = wanted.filter((name) => !filled.has(name));
    const rating = rateByUpperLimits(missing.length, thresholds['social.og'].missing);
    const value = { missing };
    if (rating === 'good') return { rating, code: 'good', value, text: 'The social preview is complete.' };
    const text = `The social preview lacks: ${missing.join(', ')}. Add what is missing.`;
    return { rating, code: 'missing', value, params: value, text };
  },
};

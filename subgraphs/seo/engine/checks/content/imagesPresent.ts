import type { Check } from '../Check.ts';
import { count, rateByLowerLimits } from '../rate.ts';

export const imagesPresent: Check = {
  id: 'images.present',
  group: 'content',
  title: 'Images',
  description: 'Images show what text cannot. A product needs several.',
  requires: [],
  needs: null,
  forRelated: false,
  evaluate({ images, profile, thresholds }) {
    const limits = thresholds['images.present'].count[profile];
    const rating = rateByLowerLimits(images.length, limits);
    const value = { images: images.length, recommended: limits.good };
    if (rating === 'good')
      return { rating, code: 'good', value, text: `The page has ${count(images.length, 'image')}.` };
    return {
      rating,
      code: images.length === 0 ? 'missing' : 'too_few',
      value,
      params: value,
      text:
        images.length === 0
          ? `The page has no image. Add at least ${limits.good}.`
          : `The page has ${count(images.length, 'image')}. Add more: ${limits.good} or more show it well.`,
    };
  },
};

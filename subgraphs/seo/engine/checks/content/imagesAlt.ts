import type { Check } from '../Check.ts';
import { mostPositions } from '../positions.ts';
import { count, rateByLowerLimits, roundTo2 } from '../rate.ts';

export const imagesAlt: Check = {
  id: 'images.alt',
  group: 'content',
  title: 'Alternative texts of images',
  description: 'Every image that is not marked as decoration needs an alternative text.',
  requires: ['images'],
  needs: null,
  forRelated: false,
  evaluate({ images, thresholds }) {
    const missing = images.filter((image) => image.alt === null && !image.decorative);
    const share = (images.length - missing.length) / images.length;
    const rating = rateByLowerLimits(share, thresholds['images.alt'].share);
    const value = { images: images.length, missing: missing.length, share: roundTo2(share) };
    if (rating === 'good')
      return { rating, code: 'good', value, text: 'All images have an alternative text.' };
    return {
      rating,
      code: 'missing',
      value,
      params: { images: images.length, missing: missing.length },
      positions: missing.slice(0, mostPositions).map((image) => image.position),
      text: `${count(missing.length, 'image has', 'images have')} no alternative text. Describe what they show.`,
    };
  },
};

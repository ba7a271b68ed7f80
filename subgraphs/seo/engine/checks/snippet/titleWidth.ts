import { measureTitle } from '../../text/measureTitle.ts';
import type { Check } from '../Check.ts';
import { fieldPosition } from '../positions.ts';
import { rateByBands } from '../rate.ts';

export const titleWidth: Check = {
  id: 'title.width',
  group: 'snippet',
  title: 'Title width',
  description: 'Search engines cut titles by their width in pixels, not by their characters.',
  requires: ['title'],
  needs: null,
  forRelated: false,
  evaluate({ title, thresholds }) {
    if (!title) return { notApplicable: 'no_title' };
    const bands = thresholds['title.width'].pixels;
    const text = title.indexed.text;
    const pixels = measureTitle(text);
    const rating = rateByBands(pixels, bands);
    const value = { pixels, characters: [...text].length };
    const params = { pixels, min: bands.good.min, max: bands.good.max };
    if (rating === 'good') {
      return {
        rating,
        code: 'good',
        value,
        params,
        text: `The title is ${pixels} pixels wide and is shown in full.`,
      };
    }
    const tooLong = pixels > bands.good.max;
    return {
      rating,
      code: tooLong ? 'too_long' : 'too_short',
      value,
      params,
      positions: [fieldPosition(title, 0, text.length)],
      text: tooLong
        ? `The title is ${pixels} pixels wide and may be cut off. Shorten it to ${bands.good.max} pixels.`
        : `The title is only ${pixels} pixels wide. Use the room up to ${bands.good.max} pixels to say more.`,
    };
  },
};

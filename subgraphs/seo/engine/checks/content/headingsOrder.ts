import type { Check } from '../Check.ts';
import { htmlPosition, mostPositions } from '../positions.ts';
import { count, rateByUpperLimits } from '../rate.ts';

export const headingsOrder: Check = {
  id: 'headings.order',
  group: 'content',
  title: 'Heading order',
  description: 'Headings form an outline when no level is skipped on the way down.',
  requires: ['headings'],
  needs: null,
  forRelated: false,
  evaluate({ document, thresholds }) {
    const { headings } = document;
    if (headings.length < 2) return { notApplicable: 'no_headings' };
    const skipped = headings.filter((heading, index) => {
      const before = headings[index - 1];
      return before !== undefined && heading.level > before.level + 1;
    });
    const rating = rateByUpperLimits(skipped.length, thresholds['headings.order'].skips);
    const value = { headings: headings.length, skips: skipped.length };
    if (rating === 'good') return { rating, code: 'good', value, text: 'No heading level is skipped.' };
    return {
      rating,
      code: 'skipped',
      value,
      params: { skips: skipped.length },
      positions: skipped
        .slice(0, mostPositions)
        .map((heading) => htmlPosition(heading.htmlStart, heading.htmlEnd, heading.text)),
      text: `${count(skipped.length, 'heading skips', 'headings skip')} a level. Use the next level down.`,
    };
  },
};

import type { Check } from '../Check.ts';
import { htmlPosition, mostPositions } from '../positions.ts';

export const headingsH1: Check = {
  id: 'headings.h1',
  group: 'content',
  title: 'One H1 heading',
  description: 'A page has one main heading: the title that the site prints, or one H1 in the text.',
  requires: ['content'],
  needs: null,
  forRelated: false,
  evaluate({ document, input }) {
    const found = document.headings.filter((heading) => heading.level === 1);
    // A theme usually prints the title as H1. This is unknown here, so a single H1 in the text is accepted.
    const titleIsHeading = Boolean(input.title?.trim());
    const value = { h1: found.length, titleIsHeading };
    const positions = found
      .slice(0, mostPositions)
      .map((heading) => htmlPosition(heading.htmlStart, heading.htmlEnd, heading.text));
    if (found.length > 1) {
      const text = `The text has ${found.length} H1 headings. Keep one and make the others H2.`;
      return { rating: 'bad', code: 'several', value, params: { h1: found.length }, positions, text };
    }
    if (found.length === 0 && !titleIsHeading) {
      return {
        rating: 'bad',
        code: 'missing',
        value,
        text: 'The page has neither a title nor an H1 heading. Add one.',
      };
    }
    return { rating: 'good', code: 'good', value, text: 'The page has one main heading.' };
  },
};

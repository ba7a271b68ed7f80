import type { Check } from '../Check.ts';
import { count } from '../rate.ts';

export const linksOutbound: Check = {
  id: 'links.outbound',
  group: 'links',
  title: 'Outbound links',
  description: 'A link to an external source shows readers and search engines what a text is based on.',
  requires: ['content'],
  needs: null,
  forRelated: false,
  evaluate({ links }) {
    const outbound = links.filter((link) => link.kind === 'outbound');
    const followed = outbound.filter((link) => link.followed).length;
    const value = { links: outbound.length, followed };
    if (followed > 0) {
      return {
        rating: 'good',
        code: 'good',
        value,
        text: `The text has ${count(outbound.length, 'outbound link')}.`,
      };
    }
    if (outbound.length > 0) {
      const text = 'All outbound links are marked nofollow or sponsored. Add one that you recommend.';
      return { rating: 'ok', code: 'only_nofollow', value, text };
    }
    return {
      rating: 'bad',
      code: 'missing',
      value,
      text: 'The text links to no other site. Link to a useful source.',
    };
  },
};

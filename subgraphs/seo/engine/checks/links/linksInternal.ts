import type { Check } from '../Check.ts';
import { count } from '../rate.ts';

export const linksInternal: Check = {
  id: 'links.internal',
  group: 'links',
  title: 'Internal links',
  description: 'Links to other pages of the site help readers and crawlers to find them.',
  requires: ['content'],
  needs: null,
  forRelated: false,
  evaluate({ links }) {
    const internal = links.filter((link) => link.kind === 'internal' && !link.toSelf);
    const followed = internal.filter((link) => link.followed).length;
    const value = { links: internal.length, followed };
    if (followed > 0) {
      return {
        rating: 'good',
        code: 'good',
        value,
        text: `The text has ${count(internal.length, 'internal link')}.`,
      };
    }
    if (internal.length > 0) {
      const text = 'All internal links are marked nofollow. Remove it from the links you recommend.';
      return { rating: 'ok', code: 'only_nofollow', value, text };
    }
    return {
      rating: 'bad',
      code: 'missing',
      value,
      text: 'The text links to no other page of the site. Add a link.',
    };
  },
};

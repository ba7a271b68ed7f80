import type { Check } from '../Check.ts';
import { htmlPosition, mostPositions } from '../positions.ts';
import { count } from '../rate.ts';

export const linksCrawlable: Check = {
  id: 'links.crawlable',
  group: 'links',
  title: 'Crawlable links',
  description: 'Crawlers only follow links with a real URL.',
  requires: ['links'],
  needs: null,
  forRelated: false,
  evaluate({ links }) {
    const broken = links.filter((link) => link.kind === 'uncrawlable');
    const value = { links: links.length, uncrawlable: broken.length };
    if (broken.length === 0)
      return { rating: 'good', code: 'good', value, text: 'All links have a real URL.' };
    return {
      rating: 'bad',
      code: 'found',
      value,
      params: { uncrawlable: broken.length },
      positions: broken
        .slice(0, mostPositions)
        .map((link) => htmlPosition(link.htmlStart, link.htmlEnd, link.text)),
      text: `${count(broken.length, 'link has', 'links have')} no address that can be followed. Give each a real href.`,
    };
  },
};

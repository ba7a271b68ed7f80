import type { PageLink } from '../../links/classifyLinks.ts';
import { toPageAddress } from '../../links/classifyLinks.ts';
import { toAddressKey } from '../../toKey.ts';
import type { AnalysisContext } from '../AnalysisContext.ts';
import type { Check } from '../Check.ts';
import { htmlPosition, mostPositions } from '../positions.ts';
import { count } from '../rate.ts';

function keyOf({ input }: AnalysisContext, link: PageLink): string | null {
  const target =
    link.kind === 'internal' ? toPageAddress(link.href ?? '', input.permalink ?? undefined) : null;
  return target && toAddressKey(target);
}

export const linksBrokenInternal: Check = {
  id: 'links.broken_internal',
  group: 'links',
  title: 'No broken internal links',
  description: 'Internal links should lead to published pages.',
  requires: ['surroundings', 'links'],
  needs: null,
  forRelated: false,
  evaluate(context) {
    const published = new Set(context.input.surroundings?.publishedLinks);
    const gone = new Set(context.input.surroundings?.goneLinks);
    const keys = context.links.map((link) => keyOf(context, link));
    const broken = context.links.filter((_, index) => gone.has(keys[index] ?? ''));
    const known = keys.filter((key) => key !== null && (published.has(key) || gone.has(key))).length;
    if (known === 0) return { notApplicable: 'targets_unknown' };
    const value = { known, broken: broken.length };
    if (broken.length === 0)
      return { rating: 'good', code: 'good', value, text: 'All linked pages of this site are published.' };
    return {
      rating: 'bad',
      code: 'broken',
      value,
      params: value,
      positions: broken
        .slice(0, mostPositions)
        .map((link) => htmlPosition(link.htmlStart, link.htmlEnd, link.text)),
      text: `${count(broken.length, 'link leads', 'links lead')} to a page of this site that readers can no longer reach. Change or remove them.`,
    };
  },
};

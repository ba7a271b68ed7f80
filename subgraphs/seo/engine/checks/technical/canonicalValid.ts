import { toPageAddress } from '../../links/classifyLinks.ts';
import type { Check, Finding } from '../Check.ts';

type Case = 'self' | 'absolute' | 'other_page' | 'not_absolute' | 'foreign_host';

function classify(canonicalUrl: string, permalink: string | null): Case {
  if (canonicalUrl === '') return 'self';
  const canonical = toPageAddress(canonicalUrl);
  if (!canonical) return 'not_absolute';
  const own = permalink === null ? null : toPageAddress(permalink);
  if (!own) return 'absolute';
  if (own.host !== canonical.host) return 'foreign_host';
  return own.path === canonical.path ? 'self' : 'other_page';
}

const findings: Record<Case, Pick<Finding, 'rating' | 'text'>> = {
  self: { rating: 'good', text: 'The page is its own canonical URL.' },
  absolute: { rating: 'good', text: 'The canonical URL is absolute.' },
  other_page: {
    rating: 'ok',
    text: 'The canonical URL is another page of the site, so search engines will not list this page. Change it unless that is intended.',
  },
  not_absolute: {
    rating: 'bad',
    text: 'The canonical URL is not absolute. Start it with https://.',
  },
  foreign_host: {
    rating: 'bad',
    text: 'The canonical URL is on another site, so that site is listed instead. Use a URL of this site.',
  },
};

export const canonicalValid: Check = {
  id: 'canonical.valid',
  group: 'technical',
  title: 'Canonical address',
  description: 'The canonical URL should be absent or an absolute URL of the same site.',
  requires: [],
  needs: null,
  forRelated: false,
  evaluate({ input }) {
    if (input.canonicalUrl === undefined) return { notApplicable: 'canonical_unknown' };
    const canonicalUrl = input.canonicalUrl?.trim() ?? '';
    const found = classify(canonicalUrl, input.permalink ?? null);
    return { ...findings[found], code: found, value: { kind: found } };
  },
};

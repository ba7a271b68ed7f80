import type { Suggester } from './Draft.ts';

/** The page's own address without parameters that only distinguish visits. */
export const suggestCanonical: Suggester = ({ input }) => {
  const url = input.permalink ? URL.parse(input.permalink.trim()) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return [];
  url.search = '';
  url.hash = '';
  url.username = '';
  url.password = '';
  const value = url.href;
  if (value === input.canonicalUrl?.trim()) return [];
  return [
    {
      value,
      reason: 'It is the address of the page without query and fragment.',
      basis: ['canonical.valid'],
      confidence: 0.9,
      patch: { members: { canonicalUrl: value } },
    },
  ];
};

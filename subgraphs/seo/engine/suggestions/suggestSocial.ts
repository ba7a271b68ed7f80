import type { JsonValue } from '../contract.ts';
import type { Suggester } from './Draft.ts';

/** Suggests a preview with the texts of search results and the first image. Existing values are unchanged. */
export const suggestSocial: Suggester = ({ input, context }) => {
  const known = isRecord(input.social) ? input.social : {};
  const has = (name: string): boolean =>
    Object.entries(known).some(
      ([key, value]) => toName(key) === name && typeof value === 'string' && value.trim() !== '',
    );
  const found: [name: string, member: string, text: string | null | undefined][] = [
    ['title', 'ogTitle', input.seoTitle?.trim() || input.title],
    ['description', 'ogDescription', input.metaDescription],
    ['image', 'ogImage', absolute(context.images[0]?.src, input.permalink)],
    ['url', 'ogUrl', input.permalink],
  ];
  const added = Object.fromEntries(
    found.flatMap(([name, member, text]) => (text?.trim() && !has(name) ? [[member, text.trim()]] : [])),
  );
  if (Object.keys(added).length === 0) return [];
  const value = { ...known, ...added } as Record<string, JsonValue>;
  return [
    {
      value,
      reason: 'It is the text in search results, so that a shared link shows the same.',
      basis: ['social.og'],
      confidence: 0.8,
      patch: { members: { social: value } },
    },
  ];
};

/** Normalizes a name: `og:title`, `og_title`, `ogTitle` and `title` are equal. */
function toName(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/^og/, '');
}

function absolute(src: string | undefined, base: string | null | undefined): string | null {
  if (!src) return null;
  const url = URL.parse(src, base ?? undefined);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

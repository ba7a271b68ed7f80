import type { HtmlDocument, Link } from '../html/readDocument.ts';

/**
 * `internal` and `outbound` lead to another page; `fragment` stays on this one; `other` is mail, telephone and
 * the like; `uncrawlable` has no address a crawler could follow.
 */
type LinkKind = 'internal' | 'outbound' | 'fragment' | 'other' | 'uncrawlable';

export interface PageLink extends Link {
  kind: LinkKind;
  /** Whether the link has no `nofollow`, `sponsored` or `ugc`, so that it passes on ranking. */
  followed: boolean;
  /** Whether it links to the page itself. */
  toSelf: boolean;
}

const scheme = /^[a-z][a-z0-9+.-]{0,30}:/i;
const stopTokens = ['nofollow', 'sponsored', 'ugc'];

/** Host and path decide whether two addresses are the same page. */
export interface PageAddress {
  host: string;
  path: string;
}

/** Returns the address without `www.`, the closing slash and the fragment; null if it is not a web address. */
export function toPageAddress(address: string, base?: string): PageAddress | null {
  const url = URL.parse(address, base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return {
    host: url.host.replace(/^www\./, ''),
    path: `${url.pathname.replace(/\/$/, '')}${url.search}`,
  };
}

function classifyAddress(href: string, self: PageAddress | null): LinkKind {
  if (href === '') return 'uncrawlable';
  if (href.startsWith('#')) return 'fragment';
  const found = scheme.exec(href)?.[0].toLowerCase();
  if (found === 'javascript:') return 'uncrawlable';
  const isWeb = found === 'http:' || found === 'https:' || href.startsWith('//');
  if (found !== undefined && !isWeb) return 'other';
  if (!isWeb) return 'internal';
  const target = toPageAddress(href.startsWith('//') ? `https:${href}` : href);
  if (!target) return 'uncrawlable';
  return target.host === self?.host ? 'internal' : 'outbound';
}

function isSelf(href: string, kind: LinkKind, self: PageAddress | null, permalink: string): boolean {
  if (kind === 'fragment') return true;
  if (kind !== 'internal' || self === null) return false;
  const target = toPageAddress(href, permalink);
  return target !== null && self.host === target.host && self.path === target.path;
}

/**
 * Classifies every link relative to the page's permalink. Without a permalink, an absolute URL counts as outbound,
 * because its host is unknown.
 */
export function classifyLinks(document: HtmlDocument, permalink: string | null): PageLink[] {
  const self = permalink === null ? null : toPageAddress(permalink);
  return document.links
    .filter((link) => link.href !== null || !link.isTarget)
    .map((link) => {
      const href = (link.href ?? '').trim();
      const kind = classifyAddress(href, self);
      return {
        ...link,
        kind,
        followed: !stopTokens.some((token) => link.rel.has(token)),
        toSelf: isSelf(href, kind, self, permalink ?? ''),
      };
    });
}

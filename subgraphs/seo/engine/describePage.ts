import { readDocument } from './html/readDocument.ts';
import { classifyLinks, toPageAddress } from './links/classifyLinks.ts';
import { readWords } from './text/readWords.ts';
import { simHash } from './text/simHash.ts';
import { toAddressKey } from './toKey.ts';

/** Values that other pages are compared with. */
export interface PageDescription {
  /** Fingerprint; null for a text of fewer than 50 words, which resembles too many others. */
  fingerprint: string | null;
  /** Keys of the pages of the same host that it links to, at most 200. */
  links: string[];
}

/** Maximum length of the HTML that is read, so that the longest page costs no more than a few milliseconds. */
const longestHtml = 65_536;
const fewestWords = 50;
const mostLinks = 200;

/**
 * Describes a page for comparison with others. Both sides of a comparison use this function, so a page that is cut at
 * 64 KB is compared by its beginning. Pure and linear.
 *
 * @param address of the page; without one, no link counts as internal
 */
export function describePage(html: string, address: string | null): PageDescription {
  const document = readDocument(html.slice(0, longestHtml));
  const forms = readWords(document.text, 'und').map(({ form }) => form);
  const links = new Set<string>();
  for (const link of classifyLinks(document, address)) {
    const target =
      link.kind === 'internal' && !link.toSelf && toPageAddress(link.href ?? '', address ?? undefined);
    if (target && links.size < mostLinks) links.add(toAddressKey(target));
  }
  return { fingerprint: forms.length < fewestWords ? null : simHash(forms), links: [...links] };
}

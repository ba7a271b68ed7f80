import { textOf } from '../headingsOf.ts';
import type { SitePage } from '../SitePage.ts';

/** Part of a page that the search finds; `path` is relative to the root of the site. */
export interface Section {
  readonly path: string;
  readonly title: string;
  readonly heading: string;
  /** Further words by which the page is found. */
  readonly words: string;
  readonly text: string;
}

/** Longest indexed text of a section in characters. Sections that are longer consist of generated tables and examples. */
const longest = 4000;

/** Returns the sections of a page: its beginning, and one for each heading. */
export function sectionsOf(page: SitePage): Section[] {
  const path = page.path.slice(1);
  // An explorer or a table of the whole contract is found by its title only.
  const html = page.layout === 'wide' ? '' : page.content().text;
  // The generated examples of the routes would be half of the index.
  const content = path.startsWith('docs/routes') ? html.replaceAll(/<pre.*?<\/pre>/gs, '') : html;
  const [beginning = '', ...parts] = content.split(/(?=<h[23] id=")/);
  const section = (at: string, heading: string, text: string): Section => ({
    path: at,
    title: page.title,
    heading,
    words: `${page.keywords ?? ''} ${path.replaceAll(/[/_-]/g, ' ')}`.trim(),
    text: plain(text),
  });
  const first = section(path, '', beginning.replace(/<h1.*?<\/h1>/s, ''));
  return [
    first,
    ...parts.map((part) => {
      const [whole = '', id = '', heading = ''] =
        /^<h[23] id="([^"]+)"[^>]*>(.*?)<\/h[23]>/s.exec(part) ?? [];
      return section(`${path}#${id}`, textOf(heading), part.slice(whole.length));
    }),
  ];
}

function plain(html: string): string {
  return textOf(html.replaceAll('<', ' <')).replaceAll(/\s+/g, ' ').trim().slice(0, longest);
}

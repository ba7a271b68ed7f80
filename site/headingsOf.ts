import type { Heading } from './SitePage.ts';

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Returns the headings below the title that have an id, in generated HTML. */
export function headingsOf(html: string): Heading[] {
  return [...html.matchAll(/<h[23] id="([^"]+)"[^>]*>(.*?)<\/h[23]>/g)].map(([, id = '', inner = '']) => ({
    id,
    text: textOf(inner),
  }));
}

/** Returns the text of generated HTML, without tags. */
export function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d+)|(\w+));/g, (whole, code: string | undefined, name: string | undefined) =>
      code === undefined ? (entities[name ?? ''] ?? whole) : String.fromCodePoint(Number(code)),
    );
}

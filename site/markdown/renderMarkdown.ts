import MarkdownIt, { type Token } from 'markdown-it';
import { notGuides } from '../contents.ts';
import { toAddress } from './toAddress.ts';

/**
 * Renders a guide as HTML for a page without inline styles and scripts: headings have ids, wide tables and code can be
 * scrolled by keyboard, links between files lead to their pages, and drawings are embedded.
 *
 * @param text Markdown; HTML in it is escaped
 * @param readDrawing returns the text of an SVG file, by its path in the guide
 */
export function renderMarkdown(text: string, readDrawing: (source: string) => string): string {
  const markdown = new MarkdownIt({ html: false });
  const { rules } = markdown.renderer;
  const used = new Set<string>();
  rules.heading_open = (tokens, index) => {
    const token = tokens[index] as Token;
    const id = freeId(slugOf(tokens[index + 1]?.content ?? ''), used);
    return token.tag === 'h1' ? '<h1>' : `<${token.tag} id="${id}"><a href="#${id}">`;
  };
  rules.heading_close = (tokens, index) => {
    const { tag } = tokens[index] as Token;
    return tag === 'h1' ? '</h1>\n' : `</a></${tag}>\n`;
  };
  rules.table_open = () => '<div class="scrolls" role="region" aria-label="Table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.th_open = cell('th scope="col"');
  rules.td_open = cell('td');
  rules.fence = (tokens, index) => {
    const { content, info } = tokens[index] as Token;
    const [language, file] = info.split(' ');
    const name = language ? ` class="language-${language}"` : '';
    const caption =
      file === undefined ? '' : `<p class="file"><code>${markdown.utils.escapeHtml(file)}</code></p>\n`;
    return `${caption}<pre tabindex="0"><code${name}>${markdown.utils.escapeHtml(content)}</code></pre>\n`;
  };
  rules.image = (tokens, index) => drawing(tokens[index] as Token, readDrawing);
  rules.link_open = (tokens, index, options, _environment, renderer) => {
    const token = tokens[index] as Token;
    token.attrSet('href', toAddress(token.attrGet('href') ?? '', notGuides));
    return renderer.renderToken(tokens, index, options);
  };
  // Comments for editors of the file are not shown to readers.
  return markdown.render(text.replace(/^<!--.*-->\n/gm, ''));
}

/** Returns a renderer of cells without inline style; columns of figures have a class. */
function cell(tag: string): (tokens: Token[], index: number) => string {
  return (tokens, index) => {
    const isFigure = (tokens[index] as Token).attrGet('style')?.includes('right') === true;
    return `<${tag}${isFigure ? ' class="figure"' : ''}>`;
  };
}

/** Embeds an SVG file, so that its colors follow the page; its own style sheet is removed. */
function drawing(token: Token, readDrawing: (source: string) => string): string {
  const source = token.attrGet('src') ?? '';
  if (!source.endsWith('.svg')) throw new Error(`${source}: only drawings (SVG) are shown`);
  const svg = readDrawing(source).replace(/<style>[\s\S]*?<\/style>\s*/, '');
  return `<span class="drawing" tabindex="0" role="group" aria-label="Drawing">${svg.trim()}</span>`;
}

/** Returns the fragment of a heading as GitHub does, so that links work in both places. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

function freeId(slug: string, used: Set<string>): string {
  let id = slug;
  for (let count = 1; used.has(id); count++) id = `${slug}-${count}`;
  used.add(id);
  return id;
}

import MarkdownIt, { type Token } from 'markdown-it';
import { notGuides } from '../contents.ts';
import { toAddress } from './toAddress.ts';

/**
 * A guide as HTML for a page that may hold neither inline styles nor scripts: headings have addresses, wide tables and
 * code can be scrolled by keyboard, links between files lead to their pages, drawings stand in the text.
 *
 * @param text Markdown; HTML in it is shown, not obeyed
 * @param readDrawing text of an SVG file, by its path as the guide names it
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
    const language = /^\w+/.exec(info)?.[0];
    const name = language === undefined ? '' : ` class="language-${language}"`;
    return `<pre tabindex="0"><code${name}>${markdown.utils.escapeHtml(content)}</code></pre>\n`;
  };
  rules.image = (tokens, index) => drawing(tokens[index] as Token, readDrawing);
  rules.link_open = (tokens, index, options, _environment, renderer) => {
    const token = tokens[index] as Token;
    token.attrSet('href', toAddress(token.attrGet('href') ?? '', notGuides));
    return renderer.renderToken(tokens, index, options);
  };
  // Comments for editors of the file are not for readers.
  return markdown.render(text.replace(/^<!--.*-->\n/gm, ''));
}

/** A cell without its inline style; columns of figures say so by class. */
function cell(tag: string): (tokens: Token[], index: number) => string {
  return (tokens, index) => {
    const isFigure = (tokens[index] as Token).attrGet('style')?.includes('right') === true;
    return `<${tag}${isFigure ? ' class="figure"' : ''}>`;
  };
}

/** An SVG file in the text itself, so that its colours follow the page; its own style sheet stays out. */
function drawing(token: Token, readDrawing: (source: string) => string): string {
  const source = token.attrGet('src') ?? '';
  if (!source.endsWith('.svg')) throw new Error(`${source}: only drawings (SVG) are shown`);
  const svg = readDrawing(source).replace(/<style>[\s\S]*?<\/style>\s*/, '');
  return `<span class="drawing" tabindex="0" role="group" aria-label="Drawing">${svg.trim()}</span>`;
}

/** As GitHub makes the fragments of headings, so that links work in both places. */
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

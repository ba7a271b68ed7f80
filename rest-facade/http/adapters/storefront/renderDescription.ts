import MarkdownIt from 'markdown-it';
import { type Html, trusted } from '../../../../site/html.ts';

/** The same subset as the service's own HTML of a description; HTML in it is escaped. */
const markdown = new MarkdownIt('zero').enable(['heading', 'list', 'emphasis', 'link', 'escape']);
markdown.validateLink = (address) => /^(?:https?:\/\/|mailto:)/i.test(address);
markdown.renderer.rules.link_open = (tokens, index, options, _, renderer) => {
  tokens[index]?.attrSet('rel', 'nofollow ugc noopener');
  return renderer.renderToken(tokens, index, options);
};

/** Returns a description as HTML. Its headings start below those of the page. */
export function renderDescription(description: string): Html {
  const tokens = markdown.parse(description, {});
  for (const token of tokens) {
    const level = /^h(\d)$/.exec(token.tag)?.[1];
    if (level !== undefined) token.tag = `h${Math.min(Number(level) + 1, 6)}`;
  }
  return trusted(markdown.renderer.render(tokens, markdown.options, {}).trimEnd());
}

/** Returns the beginning of a description as plain text, for summaries. */
export function summarize(description: string): string {
  const words = description
    .replace(/^#+.*$/gm, ' ')
    .replace(/[*_`\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length <= 160 ? words : `${words.slice(0, 159).replace(/\s\S*$/, '')}…`;
}

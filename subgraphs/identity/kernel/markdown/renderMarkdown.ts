import MarkdownIt from 'markdown-it';

/** The preset `zero` supports only paragraphs; all other supported syntax is listed here. */
const markdownIt = new MarkdownIt('zero').enable(['heading', 'list', 'emphasis', 'link', 'escape']);
markdownIt.validateLink = (address) => /^(?:https?:\/\/|mailto:)/i.test(address);
// Links of users are not counted by search engines, and the opened page gets no reference to this one.
markdownIt.renderer.rules.link_open = (tokens, index, options, _, renderer) => {
  tokens[index]?.attrSet('rel', 'nofollow ugc noopener');
  return renderer.renderToken(tokens, index, options);
};

/**
 * Safe HTML of the CommonMark subset that people may write: paragraphs, headings, lists, emphasis, links to web and mail
 * addresses. Everything else, HTML included, comes out as the text it is. Time is in proportion to the length.
 */
export function renderMarkdown(markdown: string): string {
  return markdownIt.render(markdown).trimEnd();
}

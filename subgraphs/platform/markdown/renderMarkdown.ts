import MarkdownIt from 'markdown-it';

/** The preset `zero` supports only paragraphs; all other supported syntax is listed here. */
const markdownIt = new MarkdownIt('zero').enable(['heading', 'list', 'emphasis', 'link', 'escape']);
markdownIt.validateLink = (address) => /^(?:https?:\/\/|mailto:)/i.test(address);
// Search engines ignore links of users, and the opened page gets no reference to this one.
markdownIt.renderer.rules.link_open = (tokens, index, options, _, renderer) => {
  tokens[index]?.attrSet('rel', 'nofollow ugc noopener');
  return renderer.renderToken(tokens, index, options);
};

const deepestHeading = 6;

/**
 * Returns safe HTML of the supported CommonMark subset: paragraphs, headings, lists, emphasis, and links to web and
 * mail addresses. Everything else, including HTML, is rendered as plain text. Runs in time linear in the length.
 */
export function renderMarkdown(markdown: string): string {
  return markdownIt.render(markdown).trimEnd();
}

/** Returns a description as such HTML for its page. Headings start at `h2`, because the title of the page is the `h1`. */
export function renderDescription(markdown: string): string {
  const tokens = markdownIt.parse(markdown, {});
  for (const token of tokens) {
    const level = /^h(\d)$/.exec(token.tag)?.[1];
    if (level !== undefined) token.tag = `h${Math.min(Number(level) + 1, deepestHeading)}`;
  }
  return markdownIt.renderer.render(tokens, markdownIt.options, {}).trimEnd();
}

/** A tag, a comment or a declaration. `a < b` is none. */
const html = /<(?:[a-z/!?][^<>]*>|!--)/i;
/** Everything that does not print, except line ends and tabs. */
const unprintable = /[^\P{Cc}\n\r\t]/u;

/**
 * What keeps a description from being shown: its length, characters that do not print, HTML. Null for nothing.
 *
 * @param maximum in Unicode code points
 */
export function findMarkdownFault(text: string, maximum: number): string | null {
  if ([...text].length > maximum)
    return `A description has at most ${maximum.toLocaleString('en')} characters.`;
  if (unprintable.test(text) || !text.isWellFormed())
    return 'A description must not contain control characters.';
  return html.test(text) ? 'A description is Markdown and must not contain HTML.' : null;
}

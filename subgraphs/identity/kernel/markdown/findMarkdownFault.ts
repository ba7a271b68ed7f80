/** Matches a tag, a comment or a declaration. `a < b` is not a tag. */
const html = /<(?:[a-z/!?][^<>]*>|!--)/i;
/** Matches non-printing characters, except line ends and tabs. */
const unprintable = /[^\P{Cc}\n\r\t]/u;

/**
 * Returns why a description is not valid: its length, control characters or HTML. Null if it is valid.
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

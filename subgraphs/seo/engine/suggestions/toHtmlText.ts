/** A text as HTML, also within double quotes. */
export function toHtmlText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

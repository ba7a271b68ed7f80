/** Escapes a text for HTML, including double quotes. */
export function toHtmlText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

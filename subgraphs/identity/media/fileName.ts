const longestName = 255;
/** Matches control characters, path separators, and marks that change the text direction. */
const unwanted = /[\p{Cc}/\\:*?"<>|\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Returns a safe display name for a file: the last part of the path, without deceptive or reserved characters. The name
 * is only shown; it is empty if nothing is left.
 */
export function toFileName(text: string): string {
  const last = text.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const name = last.replace(unwanted, '').trim();
  return [...name].slice(0, longestName).join('').trim();
}

const longestName = 255;
/** Control characters, path separators, and marks that change the direction of text. */
const unwanted = /[\p{Cc}/\\:*?"<>|\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * A name as people may see it, of whatever a client called its file: the last part of a path, without characters that
 * fake another name or mean something to a file system. It is shown and nothing else; empty if nothing is left.
 */
export function toFileName(text: string): string {
  const last = text.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const name = last.replace(unwanted, '').trim();
  return [...name].slice(0, longestName).join('').trim();
}

import { measureTitle } from '../text/measureTitle.ts';

/** Matches trailing characters to remove. Words are never cut, and no joining character remains at the end. */
const dangling = /[\s\p{P}\p{S}]+$/u;
const closing = /[.!?…。！？)\]"”»]$/u;

/** Returns a text with an upper-case first letter, if the script has one. */
export function capitalise(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('');
}

/**
 * Returns the longest prefix of a title in whole words within a width.
 *
 * @param pixels width in search results
 */
export function fitTitle(title: string, pixels: number): string {
  return longestBeginning(title, (text) => measureTitle(text) <= pixels);
}

/**
 * Returns the longest prefix of a text in whole words within a number of characters; it ends with an ellipsis if cut.
 */
export function fitCharacters(text: string, characters: number): string {
  if ([...text].length <= characters) return text;
  const cut = longestBeginning(text, (part) => [...part].length < characters);
  return cut === '' ? '' : `${cut}…`;
}

function longestBeginning(text: string, fits: (part: string) => boolean): string {
  const collapsed = text.replace(/\s+/gu, ' ').trim();
  if (fits(collapsed)) return collapsed;
  const words = collapsed.split(' ');
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(words.slice(0, middle).join(' '))) low = middle;
    else high = middle - 1;
  }
  const part = words.slice(0, low).join(' ');
  return closing.test(part) ? part : part.replace(dangling, '');
}

import { measureTitle } from '../text/measureTitle.ts';

/** Words are never cut, and nothing that only joins words stays at the end. */
const dangling = /[\s\p{P}\p{S}]+$/u;
const closing = /[.!?…。！？)\]"”»]$/u;

/** A text whose first letter is upper case, where the script has one. */
export function capitalise(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('');
}

/**
 * The longest beginning of a title, in whole words, that is at most so wide.
 *
 * @param pixels as search results show it
 */
export function fitTitle(title: string, pixels: number): string {
  return longestBeginning(title, (text) => measureTitle(text) <= pixels);
}

/** The longest beginning of a text, in whole words, of at most so many characters; ends with an ellipsis if cut. */
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

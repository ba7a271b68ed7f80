import type { ListingContent } from './model.ts';

const mostWords = 60;
const longestWord = 64;

/** Splits a text into normalized words: lower case, compatible letters, no marks. */
export function splitWords(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word.length <= longestWord);
}

/** Returns the words by which an owner finds a listing: those of the title, the stock number, and its parts. */
export function toWords({ title, stockNumber }: Pick<ListingContent, 'title' | 'stockNumber'>): string[] {
  const number = stockNumber?.toLowerCase();
  const words = [...(number ? [number] : []), ...splitWords(stockNumber ?? ''), ...splitWords(title ?? '')];
  return [...new Set(words)].slice(0, mostWords);
}

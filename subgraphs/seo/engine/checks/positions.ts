import type { Position } from '../contract.ts';
import { collapseWhitespace } from '../html/readDocument.ts';
import type { AnalysisContext, Field } from './AnalysisContext.ts';

const longestExcerpt = 80;
/** Maximum number of marks, more than an editor can show. The count in `value` stays complete. */
export const mostPositions = 100;

/** Returns plain text that identifies a position: whitespace collapsed, at most 80 units, without lone surrogates. */
export function toExcerpt(text: string): string | null {
  // Cut before collapsing, so that a long range costs no more than a short one.
  const collapsed = collapseWhitespace(text.slice(0, 4 * longestExcerpt));
  const cut = collapsed.slice(0, longestExcerpt);
  const lastUnit = cut.charCodeAt(cut.length - 1);
  return (lastUnit >= 0xd800 && lastUnit <= 0xdbff ? cut.slice(0, -1) : cut) || null;
}

/** Returns the position of a range of the extracted text in the submitted HTML. */
export function contentPosition(context: AnalysisContext, textStart: number, textEnd: number): Position {
  const { start, end } = context.document.positions.toHtmlRange(textStart, textEnd);
  return {
    field: 'content',
    start,
    end,
    excerpt: toExcerpt(context.document.text.slice(textStart, textEnd)),
  };
}

/** Returns the position of a range in HTML offsets, for example a whole tag. */
export function htmlPosition(start: number, end: number, excerpt: string): Position {
  return { field: 'content', start, end, excerpt: toExcerpt(excerpt) };
}

export function fieldPosition(field: Field, start: number, end: number): Position {
  return { field: field.name, start, end, excerpt: toExcerpt(field.indexed.text.slice(start, end)) };
}

/** Returns the positions of words in the body; adjacent words of a sentence are joined into one range. */
export function wordPositions(context: AnalysisContext, words: readonly number[]): Position[] {
  const positions: Position[] = [];
  let first: number | null = null;
  for (let index = 0; index < words.length && positions.length < mostPositions; index += 1) {
    const word = words[index] ?? 0;
    first ??= word;
    const next = words[index + 1];
    if (next === word + 1 && context.content.sentenceOf(next) === context.content.sentenceOf(word)) continue;
    const start = context.content.words[first]?.start ?? 0;
    positions.push(contentPosition(context, start, context.content.words[word]?.end ?? start));
    first = null;
  }
  return positions;
}

export function sentencePosition(context: AnalysisContext, sentence: number): Position {
  const { start, end } = context.content.sentences[sentence] ?? { start: 0, end: 0 };
  return contentPosition(context, start, end);
}

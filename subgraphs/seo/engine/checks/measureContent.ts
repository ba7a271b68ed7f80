import { countCodePoints } from '../text/countCodePoints.ts';
import type { AnalysisContext } from './AnalysisContext.ts';

/** Languages whose texts are measured in characters; words are a guess of the segmenter there. */
const measuredInCharacters = new Set(['ja', 'zh']);

export function isMeasuredInCharacters(context: AnalysisContext): boolean {
  return measuredInCharacters.has(context.language.code);
}

/** Returns the length of a run of words: their number, or their characters in languages that do not count words. */
export function measureWords(context: AnalysisContext, firstWord: number, endWord: number): number {
  if (!isMeasuredInCharacters(context)) return context.content.countWords(firstWord, endWord);
  const lengths = charactersUpTo(context);
  return (lengths[endWord] ?? 0) - (lengths[firstWord] ?? 0);
}

const known = new WeakMap<object, Uint32Array>();

/** Returns the number of characters before each word, because several checks measure different parts of the text. */
function charactersUpTo({ content: { words } }: AnalysisContext): Uint32Array {
  let lengths = known.get(words);
  if (!lengths) {
    lengths = new Uint32Array(words.length + 1);
    for (const [index, { form }] of words.entries())
      lengths[index + 1] = (lengths[index] ?? 0) + countCodePoints(form);
    known.set(words, lengths);
  }
  return lengths;
}

export function measureContent(context: AnalysisContext): { unit: 'words' | 'characters'; length: number } {
  const unit = isMeasuredInCharacters(context) ? 'characters' : 'words';
  return { unit, length: measureWords(context, 0, context.content.words.length) };
}

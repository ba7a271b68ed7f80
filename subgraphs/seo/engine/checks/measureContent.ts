import type { AnalysisContext } from './AnalysisContext.ts';

/** Languages whose texts are measured in characters; words are a guess of the segmenter there. */
const measuredInCharacters = new Set(['ja', 'zh']);

export function isMeasuredInCharacters(context: AnalysisContext): boolean {
  return measuredInCharacters.has(context.language.code);
}

/** How long a run of words is: their number, or their characters where words are not what counts. */
export function measureWords(context: AnalysisContext, firstWord: number, endWord: number): number {
  if (!isMeasuredInCharacters(context)) return endWord - firstWord;
  let characters = 0;
  for (let index = firstWord; index < endWord; index += 1) {
    characters += [...(context.content.words[index]?.form ?? '')].length;
  }
  return characters;
}

export function measureContent(context: AnalysisContext): { unit: 'words' | 'characters'; length: number } {
  const unit = isMeasuredInCharacters(context) ? 'characters' : 'words';
  return { unit, length: measureWords(context, 0, context.content.words.length) };
}

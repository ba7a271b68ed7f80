import type { ClauseWord } from '../language/LanguageData.ts';
import type { Sentence } from '../text/readSentences.ts';
import type { AnalysisContext } from './AnalysisContext.ts';

const clausePunctuation = /[,;:()[\]{}.!?\u2013\u2014\u2026\u2028،；，、：]/u;
const startsWithCapital = /^\p{Lu}/u;

/** Returns whether the characters between two words end a clause; a stop within a file name or an address does not. */
function endsClause(gap: string): boolean {
  return gap !== '.' && gap !== ':' && clausePunctuation.test(gap);
}

/** Returns whether a sentence is prose: headings, table cells and captions are labels. */
function isProse(context: AnalysisContext, sentence: Sentence): boolean {
  const kind = context.document.blocks[sentence.block]?.kind;
  return kind === 'paragraph' || kind === 'listItem';
}

/** Returns the indices of the sentences in paragraphs and list items. */
export function proseSentences(context: AnalysisContext): number[] {
  const indices: number[] = [];
  context.content.sentences.forEach((sentence, index) => {
    if (isProse(context, sentence)) indices.push(index);
  });
  return indices;
}

export function formsOf(context: AnalysisContext, sentence: Sentence): string[] {
  return context.content.words.slice(sentence.firstWord, sentence.endWord).map((word) => word.form);
}

/** Returns the words of a sentence with the punctuation and capitals that grammar rules need. */
export function toClauseWords(context: AnalysisContext, sentence: Sentence): ClauseWord[] {
  const { words, text } = context.content;
  return words.slice(sentence.firstWord, sentence.endWord).map((word, offset) => {
    const previous = offset === 0 ? undefined : words[sentence.firstWord + offset - 1];
    return {
      form: word.form,
      afterPunctuation: previous !== undefined && endsClause(text.slice(previous.end, word.start)),
      capitalised: offset > 0 && startsWithCapital.test(text.slice(word.start, word.start + 2)),
    };
  });
}

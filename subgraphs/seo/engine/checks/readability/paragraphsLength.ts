import type { AnalysisContext } from '../AnalysisContext.ts';
import type { Check } from '../Check.ts';
import { isMeasuredInCharacters, measureWords } from '../measureContent.ts';
import { contentPosition, mostPositions } from '../positions.ts';
import { count, rateByUpperLimits } from '../rate.ts';

/** Returns the lengths of paragraphs by block index. */
function measureParagraphs(context: AnalysisContext): Map<number, number> {
  const lengths = new Map<number, number>();
  for (const sentence of context.content.sentences) {
    if (context.document.blocks[sentence.block]?.kind !== 'paragraph') continue;
    const length = measureWords(context, sentence.firstWord, sentence.endWord);
    lengths.set(sentence.block, (lengths.get(sentence.block) ?? 0) + length);
  }
  return lengths;
}

export const paragraphsLength: Check = {
  id: 'paragraphs.length',
  group: 'readability',
  title: 'Paragraph length',
  description: 'Short paragraphs are easier to read, especially on small screens.',
  requires: ['content'],
  needs: null,
  forRelated: false,
  evaluate(context) {
    const rule = context.thresholds['paragraphs.length'];
    const inCharacters = isMeasuredInCharacters(context);
    const limits = inCharacters ? rule.characters : rule.words[context.profile];
    const paragraphs = measureParagraphs(context);
    if (paragraphs.size === 0) return { notApplicable: 'text_too_short' };
    const long = [...paragraphs].filter(([, length]) => length > limits.good);
    const longest = [...paragraphs.values()].reduce((most, length) => Math.max(most, length), 0);
    const value = { paragraphs: paragraphs.size, long: long.length, longest, limit: limits.good };
    if (long.length === 0) {
      return { rating: 'good', code: 'good', value, text: 'No paragraph is too long.' };
    }
    const positions = long.slice(0, mostPositions).map(([index]) => {
      const block = context.document.blocks[index];
      return contentPosition(context, block?.start ?? 0, block?.end ?? 0);
    });
    const unit = inCharacters ? 'characters' : 'words';
    return {
      rating: rateByUpperLimits(longest, limits),
      code: 'too_long',
      value,
      params: { long: long.length, limit: limits.good, unit },
      positions,
      text: `${count(long.length, 'paragraph has', 'paragraphs have')} more than ${limits.good} ${unit}. Split them.`,
    };
  },
};

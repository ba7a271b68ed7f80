import type { AnalysisContext } from '../AnalysisContext.ts';
import type { Check } from '../Check.ts';
import { isMeasuredInCharacters, measureWords } from '../measureContent.ts';
import { contentPosition, mostPositions } from '../positions.ts';
import { rateByUpperLimits } from '../rate.ts';

interface Section {
  start: number;
  end: number;
  length: number;
}

/** Returns the runs of text between subheadings (H2 to H6); the text of headings is not counted. */
function readSections(context: AnalysisContext): Section[] {
  const starts = context.document.headings
    .filter(({ level }) => level > 1)
    .map((heading) => heading.textStart);
  const sections: Section[] = [];
  let next = 0;
  let open: Section | null = null;
  for (const sentence of context.content.sentences) {
    while (next < starts.length && (starts[next] ?? 0) <= sentence.start) {
      next += 1;
      open = null;
    }
    if (context.document.blocks[sentence.block]?.kind === 'heading') continue;
    if (!open) {
      open = { start: sentence.start, end: sentence.end, length: 0 };
      sections.push(open);
    }
    open.end = sentence.end;
    open.length += measureWords(context, sentence.firstWord, sentence.endWord);
  }
  return sections;
}

export const subheadingsDistribution: Check = {
  id: 'subheadings.distribution',
  group: 'readability',
  title: 'Subheading distribution',
  description: 'A subheading every few hundred words lets readers find their way.',
  requires: ['content'],
  needs: null,
  forRelated: false,
  evaluate(context) {
    const rule = context.thresholds['subheadings.distribution'];
    const factor = isMeasuredInCharacters(context) ? rule.charactersPerWord : 1;
    const limits = { good: rule.words.good * factor, ok: rule.words.ok * factor };
    const sections = readSections(context);
    const subheadings = context.document.headings.filter(({ level }) => level > 1).length;
    const longest = sections.reduce((most, section) => Math.max(most, section.length), 0);
    const value = { subheadings, longestSection: longest, limit: limits.good };
    const positions = sections
      .filter((section) => section.length > limits.good)
      .slice(0, mostPositions)
      .map((section) => contentPosition(context, section.start, section.end));
    if (longest <= limits.good) {
      return {
        rating: 'good',
        code: 'good',
        value,
        text: 'No part of the text is too long without a subheading.',
      };
    }
    if (subheadings === 0) {
      const text = 'The text is long and has no subheading. Divide it with subheadings.';
      return { rating: 'bad', code: 'missing', value, params: value, positions, text };
    }
    return {
      rating: rateByUpperLimits(longest, limits),
      code: 'too_long',
      value,
      params: value,
      positions,
      text: `A part of the text without a subheading is longer than ${limits.good}. Add subheadings.`,
    };
  },
};

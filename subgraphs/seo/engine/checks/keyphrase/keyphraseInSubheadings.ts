import { countPhraseWords } from '../../keyphrase/ShortText.ts';
import type { AnalysisContext } from '../AnalysisContext.ts';
import type { Check } from '../Check.ts';
import { htmlPosition, mostPositions } from '../positions.ts';
import { isWithin, roundTo2 } from '../rate.ts';

/** Returns whether a subheading reflects the topic: it has more than half of the content words, or the exact phrase. */
function isOnTopic(context: AnalysisContext, text: string): boolean {
  const heading = context.readShortText(text);
  const variants = context.topic?.variants ?? [];
  return variants.some((phrase) => countPhraseWords(heading, phrase) * 2 > phrase.stems.length);
}

export const keyphraseInSubheadings: Check = {
  id: 'keyphrase.in_subheadings',
  group: 'keyphrase',
  title: 'Keyphrase in subheadings',
  description:
    'A part of the H2 and H3 subheadings, not all of them, should reflect the keyphrase or a synonym.',
  requires: ['keyphrase', 'subheadings'],
  needs: null,
  forRelated: false,
  evaluate(context) {
    const subheadings = context.document.headings.filter(({ level }) => level === 2 || level === 3);
    const onTopic = subheadings.filter((heading) => isOnTopic(context, heading.text));
    const { min, max } = context.thresholds['keyphrase.in_subheadings'].share;
    const share = onTopic.length / subheadings.length;
    const value = { subheadings: subheadings.length, onTopic: onTopic.length, share: roundTo2(share) };
    const params = { onTopic: onTopic.length, subheadings: subheadings.length };
    const positions = onTopic
      .slice(0, mostPositions)
      .map((heading) => htmlPosition(heading.htmlStart, heading.htmlEnd, heading.text));
    // A single matching subheading is 100 percent and still good.
    if (isWithin(share, { min, max }) || (subheadings.length === 1 && onTopic.length === 1)) {
      const text = `${onTopic.length} of ${subheadings.length} subheadings reflect the keyphrase.`;
      return { rating: 'good', code: 'good', value, params, positions, text };
    }
    if (share < min) {
      const text = `${onTopic.length} of ${subheadings.length} subheadings reflect the keyphrase. Use it, or a synonym, in more of them.`;
      return { rating: 'bad', code: 'too_few', value, params, positions, text };
    }
    const text = `${onTopic.length} of ${subheadings.length} subheadings repeat the keyphrase. Let some of them say something else.`;
    return { rating: 'bad', code: 'too_many', value, params, positions, text };
  },
};

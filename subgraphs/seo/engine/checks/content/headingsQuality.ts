import type { Heading } from '../../html/readDocument.ts';
import type { Check } from '../Check.ts';
import { htmlPosition, mostPositions } from '../positions.ts';
import { count, rateByUpperLimits } from '../rate.ts';

interface Defects {
  empty: Heading[];
  repeated: Heading[];
  tooLong: Heading[];
}

function findDefects(headings: readonly Heading[], longest: number): Defects {
  const seen = new Set<string>();
  const defects: Defects = { empty: [], repeated: [], tooLong: [] };
  for (const heading of headings) {
    const key = heading.text.normalize('NFKC').toLowerCase();
    if (key === '') defects.empty.push(heading);
    else if (seen.has(key)) defects.repeated.push(heading);
    else if ([...heading.text].length > longest) defects.tooLong.push(heading);
    seen.add(key);
  }
  return defects;
}

export const headingsQuality: Check = {
  id: 'headings.quality',
  group: 'content',
  title: 'Heading quality',
  description: 'Headings are not empty, not repeated and short enough to be read at a glance.',
  requires: ['headings'],
  needs: null,
  forRelated: false,
  evaluate({ document, thresholds }) {
    const rule = thresholds['headings.quality'];
    const { empty, repeated, tooLong } = findDefects(document.headings, rule.characters);
    const defective = [...empty, ...repeated, ...tooLong].sort((a, b) => a.htmlStart - b.htmlStart);
    const rating = rateByUpperLimits(defective.length, rule.defects);
    const value = { empty: empty.length, repeated: repeated.length, tooLong: tooLong.length };
    if (rating === 'good')
      return { rating, code: 'good', value, text: 'All headings are filled, distinct and short.' };
    return {
      rating,
      code: 'defects',
      value,
      params: { ...value, characters: rule.characters },
      positions: defective
        .slice(0, mostPositions)
        .map((heading) => htmlPosition(heading.htmlStart, heading.htmlEnd, heading.text)),
      text: `${count(defective.length, 'heading is', 'headings are')} empty, repeated or longer than ${rule.characters} characters. Fill, reword or shorten.`,
    };
  },
};

import type { Check } from '../Check.ts';
import { htmlPosition, mostPositions } from '../positions.ts';
import { count, rateByUpperLimits } from '../rate.ts';

export const linksAnchorText: Check = {
  id: 'links.anchor_text',
  group: 'links',
  title: 'Link texts',
  description: 'A link text names its target; “click here” does not.',
  requires: ['links'],
  needs: 'genericAnchors',
  forRelated: false,
  evaluate({ links, language, readShortText, thresholds }) {
    const generic = links.filter((link) => {
      const forms = link.text === '' ? [] : readShortText(link.text).forms;
      // Japanese phrases are listed without spaces, as they are written.
      return language.genericAnchors?.has(forms.join(' ')) || language.genericAnchors?.has(forms.join(''));
    });
    const rating = rateByUpperLimits(generic.length, thresholds['links.anchor_text'].generic);
    const value = { links: links.length, generic: generic.length };
    if (rating === 'good') return { rating, code: 'good', value, text: 'All link texts name their target.' };
    return {
      rating,
      code: 'generic',
      value,
      params: { generic: generic.length, first: generic[0]?.text ?? '' },
      positions: generic
        .slice(0, mostPositions)
        .map((link) => htmlPosition(link.htmlStart, link.htmlEnd, link.text)),
      text: `${count(generic.length, 'link has a text', 'links have texts')} that could stand on any page. Name the target instead.`,
    };
  },
};

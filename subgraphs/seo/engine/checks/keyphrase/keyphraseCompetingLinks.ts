import { saysOnly } from '../../keyphrase/ShortText.ts';
import type { Check } from '../Check.ts';
import { htmlPosition, mostPositions } from '../positions.ts';

export const keyphraseCompetingLinks: Check = {
  id: 'keyphrase.competing_links',
  group: 'keyphrase',
  title: 'Competing links',
  description:
    'A link whose text is the keyphrase itself tells search engines that another page is about it.',
  requires: ['keyphrase', 'links'],
  needs: null,
  forRelated: true,
  evaluate(context) {
    const variants = context.topic?.variants ?? [];
    const competing = context.links.filter(
      (link) =>
        (link.kind === 'internal' || link.kind === 'outbound') &&
        !link.toSelf &&
        link.text !== '' &&
        variants.some((phrase) => saysOnly(context.readShortText(link.text), phrase)),
    );
    const value = { links: competing.length };
    if (competing.length === 0) {
      return {
        rating: 'good',
        code: 'good',
        value,
        text: 'No link to another page uses the keyphrase as its text.',
      };
    }
    return {
      rating: 'bad',
      code: 'found',
      value,
      params: value,
      positions: competing
        .slice(0, mostPositions)
        .map((link) => htmlPosition(link.htmlStart, link.htmlEnd, link.text)),
      text: 'A link to another page uses the keyphrase as its text. Change the text of the link.',
    };
  },
};

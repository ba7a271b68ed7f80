import type { Check } from '../Check.ts';
import { measureContent } from '../measureContent.ts';
import { count } from '../rate.ts';

export const contentLength: Check = {
  id: 'content.length',
  group: 'content',
  title: 'Text length',
  description:
    'A text should be long enough to answer its readers’ questions. The length depends on the type of page.',
  requires: [],
  needs: null,
  forRelated: false,
  evaluate(context) {
    const rule = context.thresholds['content.length'];
    const { length, unit } = measureContent(context);
    const { standard, cornerstone } = rule.words[context.profile];
    const words = context.input.isCornerstone ? cornerstone : standard;
    const target = unit === 'characters' ? words * rule.charactersPerWord : words;
    const ratio = target === 0 ? 1 : length / target;
    const value = { [unit]: length, target };
    const size = count(length, unit === 'words' ? 'word' : 'character');
    if (ratio >= 1) {
      return {
        rating: 'good',
        code: 'good',
        value,
        params: value,
        text: `The text has ${size}, enough for this page.`,
      };
    }
    const isClose = ratio >= rule.okShare;
    return {
      rating: isClose ? 'ok' : 'bad',
      code: isClose ? 'slightly_short' : 'too_short',
      value,
      params: value,
      // Linear through (0, 0), (okShare, half) and (1, all), so that every added word counts.
      share: isClose
        ? 0.5 + (0.5 * (ratio - rule.okShare)) / (1 - rule.okShare)
        : (0.5 * ratio) / rule.okShare,
      text: `The text has ${size}. Write at least ${target}.`,
    };
  },
};

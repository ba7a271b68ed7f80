import type { Check } from '../Check.ts';
import { contentPosition, mostPositions } from '../positions.ts';
import { count } from '../rate.ts';

export const textAlignment: Check = {
  id: 'text.alignment',
  group: 'readability',
  title: 'Text alignment',
  description: 'Longer centred text is hard to read: the eye loses the beginning of the next line.',
  requires: ['content'],
  needs: null,
  forRelated: false,
  evaluate(context) {
    const { characters } = context.thresholds['text.alignment'];
    const centred = context.document.blocks.filter(
      (block) => block.centred && block.kind !== 'heading' && block.end - block.start > characters,
    );
    const value = { centred: centred.length };
    if (centred.length === 0)
      return { rating: 'good', code: 'good', value, text: 'No longer text is centred.' };
    return {
      rating: 'info',
      code: 'centred',
      value,
      params: { centred: centred.length, characters },
      positions: centred
        .slice(0, mostPositions)
        .map((block) => contentPosition(context, block.start, block.end)),
      text: `${count(centred.length, 'longer text is', 'longer texts are')} centred. Align them at the start of the line.`,
    };
  },
};

import type { Bands } from '../../ruleset/Ruleset.ts';
import type { AnalysisContext } from '../AnalysisContext.ts';
import type { Check } from '../Check.ts';
import { count, rateByBands } from '../rate.ts';

interface Measure {
  unit: 'words' | 'characters';
  length: number;
  bands: Bands;
}

const measuredInCharacters = new Set(['ja', 'zh']);

function measure(context: AnalysisContext): Measure {
  const thresholds = context.thresholds['keyphrase.length'];
  const forms = context.topic?.phrase.forms ?? [];
  const words = context.topic?.phrase.contentWords ?? 0;
  if (measuredInCharacters.has(context.language.code)) {
    const length = forms.reduce((sum, form) => sum + [...form].length, 0);
    return { unit: 'characters', length, bands: thresholds.characters };
  }
  if (context.language.functionWords === null) {
    return { unit: 'words', length: words, bands: thresholds.allWords };
  }
  const bands = context.profile === 'product' ? thresholds.productWords : thresholds.contentWords;
  return { unit: 'words', length: words, bands };
}

export const keyphraseLength: Check = {
  id: 'keyphrase.length',
  group: 'keyphrase',
  title: 'Keyphrase length',
  description:
    'A keyphrase of a few content words is specific enough to rank and common enough to be searched for.',
  requires: ['keyphrase'],
  needs: null,
  forRelated: true,
  evaluate(context) {
    const { unit, length, bands } = measure(context);
    const rating = rateByBands(length, bands);
    const value = { [unit]: length, min: bands.good.min, max: bands.good.max };
    const size = unit === 'words' ? count(length, 'content word') : count(length, 'character');
    if (rating === 'good') {
      return {
        rating,
        code: 'good',
        value,
        params: value,
        text: `The keyphrase has ${size}, a good length.`,
      };
    }
    const tooShort = length < bands.good.min;
    return {
      rating,
      code: tooShort ? 'too_short' : 'too_long',
      value,
      params: value,
      text: tooShort
        ? `The keyphrase has ${size}. Make it more specific: at least ${bands.good.min}.`
        : `The keyphrase has ${size}. Shorten it to at most ${bands.good.max}.`,
    };
  },
};

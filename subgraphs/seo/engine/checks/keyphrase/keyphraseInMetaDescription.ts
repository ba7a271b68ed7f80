import { countUses, matchPhrase } from '../../keyphrase/matchPhrase.ts';
import type { Check } from '../Check.ts';
import { fieldPosition } from '../positions.ts';
import { count } from '../rate.ts';

export const keyphraseInMetaDescription: Check = {
  id: 'keyphrase.in_meta_description',
  group: 'keyphrase',
  title: 'Keyphrase in meta description',
  description: 'One or two sentences of the meta description should name the keyphrase or a synonym.',
  requires: ['keyphrase', 'metaDescription'],
  needs: null,
  forRelated: true,
  evaluate({ topic, metaDescription, thresholds }) {
    if (!topic || !metaDescription) return { notApplicable: 'no_meta_description' };
    const rule = thresholds['keyphrase.in_meta_description'];
    const { min, max } = rule.sentences;
    const { sentences } = metaDescription.indexed;
    const found = new Set<number>();
    let uses = 0;
    for (const phrase of topic.variants) {
      const complete = matchPhrase(metaDescription.indexed, phrase).filter(({ count }) => count > 0);
      for (const { sentence } of complete) found.add(sentence);
      // The most frequent variant counts, because a synonym may be a part of the keyphrase.
      uses = Math.max(uses, countUses(complete));
    }
    const positions = [...found]
      .sort((a, b) => a - b)
      .map((index) =>
        fieldPosition(metaDescription, sentences[index]?.start ?? 0, sentences[index]?.end ?? 0),
      );
    const value = { sentences: found.size, uses };
    if (found.size < min) {
      const text = 'The meta description does not name the keyphrase or a synonym. Add it.';
      return { rating: 'bad', code: 'missing', value, text };
    }
    if (found.size > max) {
      const text = `${found.size} sentences of the meta description name the keyphrase. Keep it to ${max}.`;
      return {
        rating: 'bad',
        code: 'too_often',
        value,
        params: { sentences: found.size, max },
        positions,
        text,
      };
    }
    if (uses > rule.uses) {
      const text = `The meta description uses the keyphrase ${uses} times, which reads as stuffed. Use it at most ${count(rule.uses, 'time')}.`;
      return {
        rating: 'bad',
        code: 'too_often',
        value,
        params: { uses, max: rule.uses },
        positions,
        text,
      };
    }
    return {
      rating: 'good',
      code: 'good',
      value,
      positions,
      text: 'The meta description names the keyphrase.',
    };
  },
};

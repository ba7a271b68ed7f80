import { containsPhrase, countUses, findSequences, matchPhrase } from '../../keyphrase/matchPhrase.ts';
import { isFunctionWord } from '../../keyphrase/parsePhrase.ts';
import type { Field, Topic } from '../AnalysisContext.ts';
import type { Check } from '../Check.ts';
import { fieldPosition } from '../positions.ts';

function positionsOf(title: Field, topic: Topic, sequenceAt: number | undefined) {
  const words = title.indexed.words;
  if (sequenceAt === undefined) {
    const found = topic.phrase.stems.flatMap((stem) => title.indexed.wordsWithStem(stem));
    return found
      .sort((a, b) => a - b)
      .map((word) => fieldPosition(title, words[word]?.start ?? 0, words[word]?.end ?? 0));
  }
  const last = sequenceAt + topic.phrase.forms.length - 1;
  return [fieldPosition(title, words[sequenceAt]?.start ?? 0, words[last]?.end ?? 0)];
}

export const keyphraseInSeoTitle: Check = {
  id: 'keyphrase.in_seo_title',
  group: 'keyphrase',
  title: 'Keyphrase in SEO title',
  description:
    'The exact keyphrase at the beginning of the title tells readers and search engines the topic at once.',
  requires: ['keyphrase', 'title'],
  needs: null,
  forRelated: false,
  evaluate({ title, topic, language, thresholds }) {
    if (!title || !topic) return { notApplicable: 'no_title' };
    const keyphrase = topic.phrase.text;
    const sequenceAt = findSequences(title.indexed, topic.phrase.forms)[0];
    const complete = sequenceAt !== undefined || containsPhrase(title.indexed, topic.phrase);
    if (!complete) {
      return {
        rating: 'bad',
        code: 'missing',
        value: { exact: false, atStart: false, uses: 0 },
        params: { keyphrase },
        text: `The title does not contain the keyphrase. Put “${keyphrase}” at its beginning.`,
      };
    }
    const before = title.indexed.words.slice(0, sequenceAt ?? 0);
    const atStart = sequenceAt !== undefined && before.every((word) => isFunctionWord(word.form, language));
    const positions = positionsOf(title, topic, sequenceAt);
    const uses = countUses(matchPhrase(title.indexed, topic.phrase));
    const value = { exact: sequenceAt !== undefined, atStart, uses };
    const most = thresholds['keyphrase.in_seo_title'].uses;
    if (uses > most) {
      return {
        rating: 'bad',
        code: 'too_often',
        value,
        params: { keyphrase, uses, max: most },
        positions,
        text: `The title uses the keyphrase ${uses} times, which reads as stuffed. Use it once, at the beginning.`,
      };
    }
    if (atStart) {
      return {
        rating: 'good',
        code: 'good',
        value,
        positions,
        text: 'The title begins with the exact keyphrase.',
      };
    }
    return {
      rating: 'ok',
      code: value.exact ? 'not_at_start' : 'not_exact',
      value,
      params: { keyphrase },
      positions,
      text: value.exact
        ? 'The title contains the keyphrase. Move it to the beginning.'
        : `The title contains the words of the keyphrase. Write “${keyphrase}” exactly, at the beginning.`,
    };
  },
};

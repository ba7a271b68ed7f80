import type { Phrase } from '../../keyphrase/parsePhrase.ts';
import { stem } from '../../language/stemming/stem.ts';
import { readSlugWords } from '../../text/readSlugWords.ts';
import { canTransliterate, latinForms, unifyRomanisation } from '../../text/toLatin.ts';
import type { Check } from '../Check.ts';

const latinOnly = /^[\p{Script=Latin}\p{N}\p{M}\p{P}\p{S}\s]*$/u;
/** Maximum extra length over the stem, because a romanized word cannot be stemmed. */
const longestEnding = 4;
const shortestStem = 3;

/** Returns the stems of the phrase that the slug contains, both in Latin letters. */
function findStems(
  phrase: Phrase,
  slugWords: readonly string[],
  language: string,
  romanised: boolean,
): string[] {
  const inSlug = new Set(slugWords.flatMap((word) => [word, stem(word, language)]));
  const unified = romanised ? slugWords.map(unifyRomanisation) : [];
  return phrase.stems.filter((value) => {
    const forms = phrase.forms.filter((form) => stem(form, language) === value);
    const spellings = [value, ...forms].flatMap((form) => latinForms(form, language));
    if (spellings.some((spelling) => inSlug.has(spelling) || inSlug.has(stem(spelling, language))))
      return true;
    return spellings
      .map(unifyRomanisation)
      .filter((spelling) => spelling.length >= shortestStem)
      .some((start) =>
        unified.some((word) => word.startsWith(start) && word.length - start.length <= longestEnding),
      );
  });
}

export const keyphraseInSlug: Check = {
  id: 'keyphrase.in_slug',
  group: 'keyphrase',
  title: 'Keyphrase in slug',
  description:
    'The URL should contain the words of the keyphrase. Some words of a long keyphrase can be omitted.',
  requires: ['keyphrase', 'slug'],
  needs: null,
  forRelated: false,
  evaluate({ topic, slug, language, thresholds }) {
    if (!topic || slug === null) return { notApplicable: 'no_slug' };
    const phrase = topic.phrase;
    const slugWords = readSlugWords(slug);
    const isForeign = !latinOnly.test(phrase.text) && latinOnly.test(slugWords.join(''));
    // The romanization of this script is unknown, so a miss proves nothing.
    if (isForeign && !canTransliterate(phrase.text)) return { notApplicable: 'language_data_missing' };
    const found = findStems(phrase, slugWords, language.code, isForeign);
    const total = phrase.stems.length;
    const short = total <= thresholds['keyphrase.in_slug'].shortPhraseWords;
    const enough = short ? found.length === total : found.length * 2 > total;
    const value = { found: found.length, words: total };
    if (enough) return { rating: 'good', code: 'good', value, text: 'The slug contains the keyphrase.' };
    const params = { keyphrase: phrase.text, ...value };
    const text = `The slug has ${found.length} of the ${total} content words of the keyphrase. Add the missing ones.`;
    return { rating: 'ok', code: 'missing', value, params, text };
  },
};

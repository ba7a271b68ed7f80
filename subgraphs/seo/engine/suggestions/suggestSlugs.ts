import { isFunctionWord } from '../keyphrase/parsePhrase.ts';
import { stripElision } from '../language/stemming/stem.ts';
import { readWords } from '../text/readWords.ts';
import { latinForms } from '../text/toLatin.ts';
import type { Draft, Source, Suggester } from './Draft.ts';
import { fitTitle } from './fitText.ts';
import { productFactsOf } from './product/productFacts.ts';

const mostWords = 5;
/** Words of a product's name, which stand for each other in no other name. */
const mostNameWords = 8;
const mostCharacters = 60;
const plain = /[^\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+/gu;

interface Candidate {
  readonly text: string;
  readonly reason: string;
  readonly confidence: number;
  readonly most?: number;
}

/** Short addresses of the words that carry the topic, in Latin letters where that is known, and of no other object. */
export const suggestSlugs: Suggester = (source) => {
  const { input, context, neighbours, ruleset } = source;
  const keyphrase = context.topic?.phrase.text ?? '';
  const { max } = ruleset.thresholds['title.width'].pixels.good;
  const title = fitTitle(input.title?.trim() || input.seoTitle?.trim() || '', max, context.language);
  const used = new Set(neighbours.usedSlugs);
  const seen = new Set([input.slug?.trim()]);
  const { name, year } = productFactsOf(source);
  const candidates = [
    ...(name && !keyphrase
      ? [{ text: `${name} ${year}`, reason: 'It names the product.', confidence: 0.9, most: mostNameWords }]
      : []),
    { text: keyphrase, reason: 'It is the keyphrase.', confidence: 0.9 },
    {
      text: `${keyphrase} ${title}`,
      reason: 'It is the keyphrase with further words of the title.',
      confidence: 0.75,
    },
    { text: title, reason: 'It is the title without stop words.', confidence: 0.7 },
  ];
  return candidates.flatMap(({ text, reason, confidence, most }: Candidate): Draft[] => {
    const slug = toSlug(source, text, most ?? mostWords);
    if (slug === '' || seen.has(slug)) return [];
    seen.add(slug);
    const value = firstFree(slug, used);
    return [
      {
        value,
        reason,
        basis: ['slug.format', 'keyphrase.in_slug'],
        confidence,
        patch: { members: { slug: value } },
      },
    ];
  });
};

function toSlug({ context }: Source, text: string, most: number): string {
  const { language, languageTag } = context;
  const forms = readWords(text, languageTag).flatMap(({ form }) =>
    stripElision(form, language.code).split(/[.,]/),
  );
  const content = forms.filter((form) => !isFunctionWord(form, language));
  const words: string[] = [];
  let length = 0;
  for (const form of new Set(content.length > 0 ? content : forms)) {
    const word = (latinForms(form, language.code).at(-1) ?? form).toLowerCase().replace(plain, '');
    if (word === '' || words.includes(word)) continue;
    length += word.length + 1;
    if (words.length === most || length > mostCharacters) break;
    words.push(word);
  }
  return words.join('-');
}

function firstFree(slug: string, used: ReadonlySet<string>): string {
  let candidate = slug;
  for (let number = 2; used.has(candidate); number += 1) candidate = `${slug}-${number}`;
  return candidate;
}

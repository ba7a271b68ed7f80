import { isFunctionWord } from '../keyphrase/parsePhrase.ts';
import { wordSet } from '../language/LanguageData.ts';
import { stripElision } from '../language/stemming/stem.ts';
import { readWords, type Word } from '../text/readWords.ts';
import { latinForms } from '../text/toLatin.ts';
import type { Draft, Source, Suggester } from './Draft.ts';
import { fitTitle } from './fitText.ts';
import { productFactsOf } from './product/productFacts.ts';

const mostWords = 5;
/** Words of a product's name, which stand for each other in no other name. */
const mostNameWords = 8;
const mostCharacters = 60;
/** Function words without which an address says the opposite. */
const negations = wordSet('without no not ohne kein keine sans sin senza sem zonder');
const number = /^\p{N}+$/u;
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
  const groups = groupWords(readWords(text, languageTag), language.code);
  const content = groups.filter(([form = '']) => !isFunctionWord(form, language) || negations.has(form));
  const words: string[] = [];
  let length = 0;
  for (const group of content.length > 0 ? content : groups) {
    const added = new Set(group.map((form) => toPlain(form, language.code)));
    const fresh = [...added].filter((word) => word !== '' && !words.includes(word));
    length += fresh.reduce((sum, word) => sum + word.length + 1, 0);
    const isNumberOfName = words.length > 0 && group.every((form) => number.test(form));
    const fits = words.length + fresh.length <= most + (isNumberOfName ? 1 : 0);
    // A cut inside a group would leave half a word or half a number.
    if (words.length > 0 && (!fits || length > mostCharacters)) break;
    words.push(...fresh);
  }
  return words.join('-');
}

/** Returns the forms that belong together: parts of a word with hyphens (`grand-mère`) and of a number (`10.25`). */
function groupWords(words: readonly Word[], language: string): string[][] {
  const groups: string[][] = [];
  for (const { form, isPart } of words) {
    const forms = stripElision(form, language).split(/[.,]/);
    if (isPart) groups.at(-1)?.push(...forms);
    else groups.push(forms);
  }
  return groups;
}

function toPlain(form: string, language: string): string {
  return (latinForms(form, language).at(-1) ?? form).toLowerCase().replace(plain, '');
}

function firstFree(slug: string, used: ReadonlySet<string>): string {
  let candidate = slug;
  for (let number = 2; used.has(candidate); number += 1) candidate = `${slug}-${number}`;
  return candidate;
}

import { parsePhrase } from '../keyphrase/parsePhrase.ts';
import type { Draft, Source, Suggester } from './Draft.ts';
import { findPhrases } from './phrases/findPhrases.ts';
import { productFactsOf } from './product/productFacts.ts';

interface Candidate {
  readonly text: string;
  readonly reason: string;
  /** 0 to 1. */
  readonly weight: number;
}

/** Returns the product, and noun phrases that the page repeats, without keyphrases of other pages. */
export const suggestKeyphrases: Suggester = (source) => {
  const { input, neighbours } = source;
  const used = new Set(neighbours.usedKeyphrases);
  const seen = new Set([input.keyphrase?.trim().toLowerCase()]);
  return [...productPhrases(source), ...repeatedPhrases(source)].flatMap(
    ({ text, reason, weight }): Draft[] => {
      const lowered = text.toLowerCase();
      if (seen.has(lowered) || used.has(lowered)) return [];
      seen.add(lowered);
      return [
        {
          value: text,
          reason: `${reason}, and no other page has this keyphrase.`,
          basis: [
            'keyphrase.length',
            'keyphrase.in_introduction',
            'keyphrase.density',
            'keyphrase.in_seo_title',
          ],
          // A missing keyphrase can still be added to these places.
          decisive: ['keyphrase.length'],
          confidence: weight * 0.9,
          patch: { members: { keyphrase: text, synonyms: [] } },
        },
      ];
    },
  );
};

/** Returns make and model, with the variant if the page contains it. Readers search for a product by its name. */
function productPhrases(source: Source): Candidate[] {
  const { model, name } = productFactsOf(source);
  return [...new Set([model, name])]
    .filter((text) => isSupported(source, text))
    .map((text, index) => ({
      text,
      reason: 'It names the product, and the page contains all its words',
      weight: index === 0 ? 1 : 0.95,
    }));
}

function isSupported({ context }: Source, text: string): boolean {
  const { content, title, language, languageTag } = context;
  const phrase = text === '' ? null : parsePhrase(text, language, languageTag);
  return (
    phrase?.stems.every(
      (value) =>
        content.wordsWithStem(value).length > 0 || (title?.indexed.wordsWithStem(value).length ?? 0) > 0,
    ) ?? false
  );
}

function repeatedPhrases({ context }: Source): Candidate[] {
  const phrases = findPhrases(context);
  const best = phrases[0]?.weight ?? 1;
  return phrases.map(({ text, weight, count }) => ({
    text,
    reason: `The page contains it ${count} times`,
    weight: Math.min(1, weight / best),
  }));
}

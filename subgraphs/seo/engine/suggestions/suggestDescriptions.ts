import type { Draft, Source, Suggester } from './Draft.ts';
import { findPhrases } from './findPhrases.ts';
import { fitCharacters } from './fitText.ts';
import { productFactsOf } from './productFacts.ts';

const eastAsian = new Set(['ja', 'zh', 'ko']);
const mostSentences = 24;

interface Scored {
  readonly index: number;
  readonly text: string;
  readonly score: number;
}

/** Suggests the one or two sentences that cover the topic best, within the length of search results. */
export const suggestDescriptions: Suggester = (source) => {
  const { input, context, ruleset } = source;
  const rule = ruleset.thresholds['meta.length'];
  const { min, max } = eastAsian.has(context.language.code) ? rule.charactersEastAsian : rule.characters;
  const sentences = scoreSentences(source);
  const seen = new Set([input.metaDescription?.trim()]);
  const candidates = [
    ...productCandidates(source, max),
    ...joined(sentences, min, max),
    ...sentences.map(({ text, score }) => ({ text: fitCharacters(text, max), score: score / 2 })),
  ].sort((a, b) => b.score - a.score);
  const best = Math.max(1, candidates[0]?.score ?? 1);
  return candidates.flatMap(({ text, score }): Draft[] => {
    if (text === '' || seen.has(text)) return [];
    seen.add(text);
    return [
      {
        value: text,
        reason: 'It is text of the page about the topic, cut to the length that search results show.',
        basis: ['meta.present', 'meta.length', 'keyphrase.in_meta_description'],
        confidence: 0.85 * Math.min(1, score / best),
        patch: { members: { metaDescription: text } },
      },
    ];
  });
};

/** Returns the best sentences of paragraphs, in text order. */
function scoreSentences({ context }: Source): Scored[] {
  const { content, document, topic } = context;
  const complete = new Set(topic?.matches.filter(({ count }) => count > 0).map(({ sentence }) => sentence));
  const weights = new Map(
    findPhrases(context)
      .slice(0, 20)
      .flatMap(({ stems, weight }) => stems.map((value) => [value, weight] as const)),
  );
  const read = context.readShortText;
  return content.sentences
    .flatMap(({ start, end, block }, index): Scored[] => {
      if (document.blocks[block]?.kind !== 'paragraph') return [];
      const text = content.text.slice(start, end).replace(/\s+/gu, ' ').trim();
      if (text.length < 20 || text.length > 600) return [];
      let information = 0;
      for (const value of read(text).contentStems) information += weights.get(value) ?? 0;
      const position = 1 + 1 / (1 + index);
      const score = (information / Math.sqrt(text.length) + (complete.has(index) ? 10 : 0)) * position;
      return [{ index, text, score }];
    })
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, mostSentences)
    .sort((a, b) => a.index - b.index);
}

/** Returns single sentences and consecutive pairs of the required length. */
function joined(sentences: readonly Scored[], min: number, max: number): { text: string; score: number }[] {
  const fits = (text: string): boolean => {
    const { length } = [...text];
    return length >= min && length <= max;
  };
  const singles = sentences.filter(({ text }) => fits(text));
  const pairs = sentences.flatMap((a, at) =>
    sentences
      .slice(at + 1)
      .map((b) => ({
        text: `${a.text} ${b.text}`,
        score: (a.score + b.score) * (b.index === a.index + 1 ? 0.9 : 0.7),
      }))
      .filter(({ text }) => fits(text)),
  );
  return [...singles, ...pairs];
}

/** Returns facts of a product as a sentence. */
function productCandidates({ input, context }: Source, max: number): { text: string; score: number }[] {
  const { name, place, price, details } = productFactsOf(input);
  const title = name || input.title?.trim() || '';
  if (title === '' || (price === '' && details.length === 0)) return [];
  const keyphrase = context.topic?.phrase.text ?? '';
  const lead = keyphrase && !title.toLowerCase().includes(keyphrase.toLowerCase()) ? `${keyphrase}: ` : '';
  const facts = [title, ...details, place, price].filter(Boolean).join(', ');
  return [{ text: fitCharacters(`${lead}${facts}.`, max), score: 8 }];
}

import { findPhraseWords } from '../language/phraseWords.ts';
import type { Draft, Source, Suggester } from './Draft.ts';
import { fitCharacters } from './fitText.ts';
import { findPhrases } from './phrases/findPhrases.ts';
import { productFactsOf } from './product/productFacts.ts';
import { leadOf, productLine } from './product/productLine.ts';

const eastAsian = new Set(['ja', 'zh', 'ko']);
/** Languages without a space between sentences. */
const unspaced = new Set(['ja', 'zh']);
/** Shorter sentences are remarks. A sentence in an East Asian script needs fewer characters. */
const fewestCharacters = { usual: 20, eastAsian: 8 };
const mostSentences = 24;
/** Share of the recommended length from which a description is useful. */
const shortShare = 0.75;
const topicBonus = 10;

interface Scored {
  readonly index: number;
  readonly text: string;
  readonly score: number;
  /** Whether it refers to the sentence before, so that it cannot be the first one. */
  readonly refersBack: boolean;
}

interface Candidate {
  readonly text: string;
  readonly score: number;
}

/** Suggests one to three sentences that cover the topic best, within the length of search results. */
export const suggestDescriptions: Suggester = (source) => {
  const { input, context, ruleset } = source;
  const rule = ruleset.thresholds['meta.length'];
  const { min, max } = eastAsian.has(context.language.code) ? rule.charactersEastAsian : rule.characters;
  const sentences = scoreSentences(source);
  const seen = new Set([input.metaDescription?.trim()]);
  const candidates = [
    ...productCandidates(source, sentences, { min, max }),
    ...joined(sentences, { min, max, space: unspaced.has(context.language.code) ? '' : ' ' }),
    ...sentences.map(({ text, score }) => ({
      text: fitCharacters(text, max, context.language),
      score: score / 4,
    })),
  ].sort((a, b) => b.score - a.score);
  const best = Math.max(1, candidates[0]?.score ?? 1);
  return candidates.flatMap(({ text, score }): Draft[] => {
    if (text === '' || seen.has(text)) return [];
    seen.add(text);
    return [
      {
        value: text,
        reason: 'It is text of the page about the topic, in the length that search results show.',
        basis: ['meta.present', 'meta.length', 'keyphrase.in_meta_description'],
        confidence: 0.85 * Math.min(1, score / best),
        patch: { members: { metaDescription: text } },
      },
    ];
  });
};

/** Returns the best sentences of paragraphs, in text order. */
function scoreSentences({ context }: Source): Scored[] {
  const { content, document, topic, language } = context;
  const complete = new Set(topic?.matches.filter(({ count }) => count > 0).map(({ sentence }) => sentence));
  const phrases = findPhrases(context).slice(0, 20);
  const weights = new Map(
    phrases.flatMap(({ stems, weight }) => stems.map((value) => [value, weight] as const)),
  );
  const mainStems = topic ? [] : (phrases[0]?.stems ?? []);
  const { backReferences } = findPhraseWords(language.code);
  const fewest = eastAsian.has(language.code) ? fewestCharacters.eastAsian : fewestCharacters.usual;
  return content.sentences
    .flatMap(({ start, end, block, firstWord }, index): Scored[] => {
      if (document.blocks[block]?.kind !== 'paragraph') return [];
      const text = content.text.slice(start, end).replace(/\s+/gu, ' ').trim();
      if (text.length < fewest || text.length > 600) return [];
      const stems = new Set(context.readShortText(text).contentStems);
      let information = 0;
      for (const value of stems) information += weights.get(value) ?? 0;
      const isOnTopic =
        complete.has(index) || (mainStems.length > 0 && mainStems.every((value) => stems.has(value)));
      const position = 1 + 1 / (1 + index);
      const factor = text.endsWith('!') ? position / 2 : position;
      const score = (information / Math.sqrt(text.length) + (isOnTopic ? topicBonus : 0)) * factor;
      const refersBack = backReferences.has(content.words[firstWord]?.form ?? '');
      return [{ index, text, score, refersBack }];
    })
    .map((sentence, at) => (at === 0 ? { ...sentence, refersBack: false } : sentence))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, mostSentences)
    .sort((a, b) => a.index - b.index);
}

/** Returns one to three sentences in text order: those of the recommended length, and at lower scores shorter ones. */
function joined(
  sentences: readonly Scored[],
  { min, max, space }: { min: number; max: number; space: string },
): Candidate[] {
  const found: Candidate[] = [];
  const extend = (chosen: readonly Scored[], text: string, score: number): void => {
    const { length } = [...text];
    if (length > max) return;
    if (length >= min) found.push({ text, score });
    else if (length >= min * shortShare) found.push({ text, score: score * 0.7 });
    if (chosen.length === 3) return;
    const last = chosen.at(-1);
    for (const next of sentences) {
      if (!last || next.index <= last.index) continue;
      const isNext = next.index === last.index + 1;
      if (next.refersBack && !isNext) continue;
      // The average favours sentences about the topic over many sentences.
      const sum = chosen.reduce((total, each) => total + each.score, 0) + next.score;
      const nextScore = (sum / (chosen.length + 1)) * (isNext ? 1.1 : 0.8);
      extend([...chosen, next], `${text}${space}${next.text}`, nextScore);
    }
  };
  for (const first of sentences) if (!first.refersBack) extend([first], first.text, first.score);
  return found;
}

/** Returns facts of a product, followed by a sentence of the page. */
function productCandidates(
  source: Source,
  sentences: readonly Scored[],
  { min, max }: { min: number; max: number },
): Candidate[] {
  const facts = productFactsOf(source);
  if (!facts.name) return [];
  const lead = leadOf(facts, source.context.topic?.phrase.text ?? '');
  const { mileage, details } = facts;
  const known = { ...facts, details: [...details.slice(0, 1), mileage, ...details.slice(1)].filter(Boolean) };
  return sentences
    .filter(({ refersBack }) => !refersBack)
    .flatMap(({ text, score }): Candidate[] => {
      const room = max - [...text].length - 2;
      const line = productLine(lead, known, (each) => [...each].length <= room);
      const whole = `${line}. ${text}`;
      const { length } = [...whole];
      if (length > max || length < min * shortShare) return [];
      const isRepeated = text.toLowerCase().includes(facts.model.toLowerCase());
      const weight = (length >= min ? 2 : 1.4) * (isRepeated ? 0.6 : 1);
      return [{ text: whole, score: (score + 2 * topicBonus) * weight }];
    });
}

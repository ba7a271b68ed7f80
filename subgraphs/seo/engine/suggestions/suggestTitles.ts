import type { AnalysisContext } from '../checks/AnalysisContext.ts';
import { containsPhrase } from '../keyphrase/matchPhrase.ts';
import { parsePhrase } from '../keyphrase/parsePhrase.ts';
import { findPhraseWords } from '../language/phraseWords.ts';
import { IndexedText } from '../text/IndexedText.ts';
import { measureTitle } from '../text/measureTitle.ts';
import type { Draft, Source, Suggester } from './Draft.ts';
import { capitalise, fitTitle } from './fitText.ts';
import { findPhrases } from './phrases/findPhrases.ts';
import { productFactsOf } from './product/productFacts.ts';
import { leadOf, productLine } from './product/productLine.ts';

interface Candidate {
  readonly text: string;
  readonly reason: string;
  readonly confidence: number;
}

/** Suggests titles from words of the page: the keyphrase, the subject, the place and the site, as far as they fit. */
export const suggestTitles: Suggester = (source) => {
  const { max } = source.ruleset.thresholds['title.width'].pixels.good;
  const { siteName } = source.neighbours;
  const { language } = source.context;
  const seen = new Set([source.input.seoTitle?.trim()]);
  return candidatesOf(source, max).flatMap(({ text, reason, confidence }): Draft[] => {
    const fitted = fitTitle(text, max, language);
    const branded = siteName && !text.includes(siteName) ? `${fitted} | ${siteName}` : fitted;
    // The name of the site is the most dispensable part.
    const value = measureTitle(branded) <= max ? branded : fitted;
    if (value === '' || seen.has(value)) return [];
    seen.add(value);
    return [
      {
        value,
        reason,
        basis: ['title.present', 'title.width', 'keyphrase.in_seo_title'],
        confidence,
        patch: { members: { seoTitle: value } },
      },
    ];
  });
};

function candidatesOf(source: Source, max: number): Candidate[] {
  const { input, context } = source;
  const title = input.title?.trim() ?? '';
  const heading = context.document.headings.find(({ level }) => level === 1)?.text ?? '';
  const keyphrase = context.topic?.phrase.text ?? '';
  const facts = productFactsOf(source);
  const candidates: Candidate[] = [];
  if (facts.name) {
    candidates.push({
      text: productLine(leadOf(facts, keyphrase), facts, (text) => measureTitle(text) <= max),
      reason: 'It names the product by its own attributes.',
      confidence: 0.9,
    });
  }
  for (const text of [title, heading]) {
    if (text === '') continue;
    candidates.push({
      text: withKeyphrase(source, text),
      reason: keyphrase
        ? 'It is the page’s heading with the keyphrase in front.'
        : 'It is the page’s heading, as wide as is shown.',
      confidence: 0.85,
    });
  }
  const lead = keyphrase || title || heading;
  const said = new Set(stemsOf(source, lead));
  for (const { text, stems } of findPhrases(context).slice(0, 8)) {
    if (lead === '' || stems.some((value) => said.has(value)) || !isShownAlone(context, text)) continue;
    candidates.push({
      text: `${capitalise(lead)} – ${text}`,
      reason: 'It combines the topic with the most frequent words of the text.',
      confidence: 0.6,
    });
  }
  return candidates;
}

/**
 * Returns whether a phrase can be shown without its sentence. Where no words show how a phrase is built, only one in a
 * heading can: others may be inflected by their verbs.
 */
function isShownAlone({ language, document }: AnalysisContext, text: string): boolean {
  if (findPhraseWords(language.code).determiners.size > 0) return true;
  const lowered = text.toLowerCase();
  return document.headings.some((heading) => heading.text.toLowerCase().includes(lowered));
}

/** Returns a text that begins with the keyphrase: unchanged, reordered, or with the keyphrase prepended. */
function withKeyphrase({ context }: Source, text: string): string {
  const phrase = context.topic?.phrase;
  if (!phrase) return text;
  const at = text.toLowerCase().indexOf(phrase.text.toLowerCase());
  if (at === 0) return text;
  if (at > 0) {
    const rest = `${text.slice(0, at)} ${text.slice(at + phrase.text.length)}`
      .replace(/\s+/gu, ' ')
      .replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '');
    return rest ? `${capitalise(phrase.text)} – ${rest}` : capitalise(phrase.text);
  }
  const indexed = new IndexedText(text, [], context.language, context.languageTag);
  // Another inflection suffices at the front of a short text, and repetition does not help readers.
  return containsPhrase(indexed, phrase) && text.length <= phrase.text.length + 3
    ? text
    : `${capitalise(phrase.text)}: ${text}`;
}

function stemsOf({ context }: Source, text: string): readonly string[] {
  return parsePhrase(text, context.language, context.languageTag)?.stems ?? [];
}

import { analysisLimits, assertAtMost } from './assertLimits.ts';
import type { AnalysisContext, Field, PageImage, Topic } from './checks/AnalysisContext.ts';
import { htmlPosition, toExcerpt } from './checks/positions.ts';
import type { AnalysisInput, Profile } from './contract.ts';
import { type HtmlDocument, readDocument } from './html/readDocument.ts';
import { matchPhrase } from './keyphrase/matchPhrase.ts';
import { type Phrase, parsePhrase } from './keyphrase/parsePhrase.ts';
import { shortTextReader } from './keyphrase/ShortText.ts';
import { classifyLinks, toPageAddress } from './links/classifyLinks.ts';
import { type ResolvedLanguage, resolveLanguage } from './resolveLanguage.ts';
import type { Thresholds } from './ruleset/Ruleset.ts';
import { IndexedText } from './text/IndexedText.ts';

function readField(name: string, text: string | null | undefined, language: ResolvedLanguage): Field | null {
  if (!text?.trim()) return null;
  return { name, indexed: new IndexedText(text, [], language.data, language.tag) };
}

function readImages(input: AnalysisInput, document: HtmlDocument): PageImage[] {
  const inBody: PageImage[] = document.images.map((image) => ({
    src: image.src,
    alt: image.alt?.trim() || null,
    decorative: image.decorative,
    position: htmlPosition(image.htmlStart, image.htmlEnd, image.alt ?? ''),
  }));
  const known = new Set(inBody.map((image) => image.src).filter(Boolean));
  const gallery = (input.images ?? []).flatMap((image, index): PageImage[] => {
    if (known.has(image.src)) return [];
    const alt = image.alt ?? '';
    const position = { field: `images.${index}.alt`, start: 0, end: alt.length, excerpt: toExcerpt(alt) };
    return [{ src: image.src, alt: alt.trim() || null, decorative: false, position }];
  });
  return [...inBody, ...gallery];
}

/** Returns the topic of a keyphrase; null without one, or if it contains no word. */
export function createTopic(
  keyphrase: string | null | undefined,
  synonyms: readonly string[],
  content: IndexedText,
  language: Pick<ResolvedLanguage, 'data' | 'tag'>,
): Topic | null {
  const phrase = parsePhrase(keyphrase ?? '', language.data, language.tag);
  if (!phrase) return null;
  const variants = [
    phrase,
    ...synonyms.map((synonym) => parsePhrase(synonym, language.data, language.tag)),
  ].filter((variant): variant is Phrase => variant !== null);
  const variantMatches = variants.map((variant) => matchPhrase(content, variant));
  return {
    keyphrase: (keyphrase ?? '').trim(),
    phrase,
    variants,
    matches: variantMatches[0] ?? [],
    variantMatches,
  };
}

/** Reads the input once into the context that the checks share. Throws `AnalysisLimitError` for too many words. */
export function createContext(
  input: AnalysisInput,
  profile: Profile,
  thresholds: Thresholds,
): { context: AnalysisContext; language: ResolvedLanguage } {
  const document = readDocument(input.content ?? '');
  const language = resolveLanguage(input, document.text);
  const content = new IndexedText(document.text, document.blocks, language.data, language.tag);
  assertAtMost('content.words', analysisLimits.words, content.countWords());
  const permalink = input.permalink?.trim() || null;
  const context: AnalysisContext = {
    input: permalink && toPageAddress(permalink) ? input : { ...input, permalink: null },
    profile,
    language: language.data,
    languageTag: language.tag,
    thresholds,
    document,
    content,
    title: readField('seoTitle', input.seoTitle, language) ?? readField('title', input.title, language),
    metaDescription: readField('metaDescription', input.metaDescription, language),
    slug: input.slug?.trim() || null,
    links: classifyLinks(document, permalink && toPageAddress(permalink) ? permalink : null),
    images: readImages(input, document),
    topic: createTopic(input.keyphrase, input.synonyms ?? [], content, language),
    readShortText: shortTextReader(language.data, language.tag),
  };
  return { context, language };
}

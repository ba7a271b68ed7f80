import type { AnalysisInput, Position, Profile } from '../contract.ts';
import type { HtmlDocument } from '../html/readDocument.ts';
import type { SentenceMatch } from '../keyphrase/matchPhrase.ts';
import type { Phrase } from '../keyphrase/parsePhrase.ts';
import type { ReadShortText } from '../keyphrase/ShortText.ts';
import type { LanguageData } from '../language/LanguageData.ts';
import type { PageLink } from '../links/classifyLinks.ts';
import type { Thresholds } from '../ruleset/Ruleset.ts';
import type { IndexedText } from '../text/IndexedText.ts';

/** The rated keyphrase. */
export interface Topic {
  keyphrase: string;
  phrase: Phrase;
  /** The phrase and its synonyms. */
  variants: readonly Phrase[];
  /** Sentences of the body with words of the phrase itself. */
  matches: readonly SentenceMatch[];
  /** The same for each variant, in their order. */
  variantMatches: readonly (readonly SentenceMatch[])[];
}

/** A plain text input, under the name that positions use. */
export interface Field {
  name: string;
  indexed: IndexedText;
}

export interface PageImage {
  src: string;
  /** Alternative text; null if it is missing or blank. */
  alt: string | null;
  decorative: boolean;
  position: Position;
}

/** All inputs of the checks, computed once. */
export interface AnalysisContext {
  input: AnalysisInput;
  profile: Profile;
  language: LanguageData;
  /** A tag that Intl accepts, for segmenting. */
  languageTag: string;
  thresholds: Thresholds;
  document: HtmlDocument;
  content: IndexedText;
  /** Title in search results: the SEO title, otherwise the title. Null if both are blank. */
  title: Field | null;
  metaDescription: Field | null;
  slug: string | null;
  links: readonly PageLink[];
  images: readonly PageImage[];
  topic: Topic | null;
  readShortText: ReadShortText;
}

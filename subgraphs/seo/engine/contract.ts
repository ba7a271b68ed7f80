/**
 * Input and output of the engine. Names and meanings follow the SEO schema (`SeoAnalysisInput`, `SeoAnalysisResult`),
 * so a resolver passes values through; only the case of enums differs.
 */

export type Profile = 'article' | 'product' | 'collection' | 'page';
export type Rating = 'good' | 'ok' | 'bad' | 'info' | 'na' | 'error';
export type CheckGroup = 'keyphrase' | 'snippet' | 'content' | 'links' | 'technical' | 'readability';
export type SupportLevel = 'full' | 'basic' | 'segmentation_only';

/** Any JSON value; values of checks and parameters of messages are never class instances. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

type Maybe<T> = T | null | undefined;

interface ImageInput {
  src: string;
  alt?: Maybe<string>;
  width?: Maybe<number>;
  height?: Maybe<number>;
}

interface RelatedKeyphraseInput {
  keyphrase: string;
  synonyms?: Maybe<readonly string[]>;
}

/** How readers see the values of an attribute, from the schema of its category. */
export interface AttributeDisplay {
  /** Unit of the stored number. */
  unit?: Maybe<string>;
  /** Unit in which readers expect the number, by language: the stored number is multiplied by `factor`. */
  readerUnit?: Maybe<{ factor: number; names: Readonly<Record<string, string>> }>;
  /** Labels of stored values by language; `und` is the same in every language. */
  valueLabels?: Maybe<Readonly<Record<string, Readonly<Record<string, string>>>>>;
}

export interface ProductInput {
  /** Type in terms of schema.org; `Product` by default. */
  type?: Maybe<string>;
  sku?: Maybe<string>;
  gtin?: Maybe<string>;
  vin?: Maybe<string>;
  price?: Maybe<number>;
  currency?: Maybe<string>;
  availability?: Maybe<string>;
  brand?: Maybe<string>;
  attributes?: unknown;
  /** By name of the attribute. */
  attributeDisplay?: Maybe<Readonly<Record<string, AttributeDisplay>>>;
}

/** Other pages of the installation that a page is compared with. */
export interface Surroundings {
  /** Other pages of the language with the same keyphrase. */
  keyphraseUses: number;
  /** Other published pages of the language with the same title, or description. */
  titleUses: number;
  descriptionUses: number;
  /**
   * Number of different bits, of 64, to the most similar published page; null if none is similar. See
   * `text/simHash.ts`.
   */
  nearestCopy: number | null;
  /** Keys (`toAddressKey`) of linked pages: those that are published, and those that no longer are. */
  publishedLinks: readonly string[];
  goneLinks: readonly string[];
  /** Translations of the page; null or empty if there are none. */
  alternates?: Maybe<readonly { language: string; reciprocal: boolean }[]>;
}

/**
 * A page as the editor or the store knows it. An absent field is unknown and its checks do not apply; an empty string
 * is known to be empty and is rated.
 */
export interface AnalysisInput {
  /** The body as HTML; positions of the answer are UTF-16 offsets in exactly this string. */
  content?: Maybe<string>;
  title?: Maybe<string>;
  seoTitle?: Maybe<string>;
  metaDescription?: Maybe<string>;
  slug?: Maybe<string>;
  permalink?: Maybe<string>;
  /** BCP 47; an underscore is accepted. */
  locale?: Maybe<string>;
  /** In double quotes, only the exact sequence of words matches, no inflected forms. */
  keyphrase?: Maybe<string>;
  synonyms?: Maybe<readonly string[]>;
  relatedKeyphrases?: Maybe<readonly RelatedKeyphraseInput[]>;
  /** `article` by default. */
  profile?: Maybe<Profile>;
  isCornerstone?: Maybe<boolean>;
  noindex?: Maybe<boolean>;
  /** `null` or an empty string means that there is none, so the page is its own canonical. */
  canonicalUrl?: Maybe<string>;
  images?: Maybe<readonly ImageInput[]>;
  /** Structured data: one JSON-LD object, a list of them, or its JSON text. */
  schema?: unknown;
  social?: unknown;
  product?: Maybe<ProductInput>;
  /** Absent for a page without a stored object, which is not compared. */
  surroundings?: Maybe<Surroundings>;
  /** Restricts the analysis to these checks; unknown ids are returned as warnings. */
  checks?: Maybe<readonly string[]>;
}

/** Half-open range in UTF-16 units of the named input field, e.g. `content`, `seoTitle`, `images.2.alt`. */
export interface Position {
  field: string;
  start: number;
  end: number;
  /** Plain text of the range, whitespace collapsed, at most 80 units; null if there is none. */
  excerpt: string | null;
}

interface Message {
  /** `<check id>.<case>`, stable; translations hang on it. */
  code: string;
  params: Record<string, JsonValue>;
  /** Instruction in English. */
  text: string;
}

export interface CheckResult {
  id: string;
  group: CheckGroup;
  keyphrase: string | null;
  applicable: boolean;
  notApplicableReason: string | null;
  rating: Rating;
  points: number;
  maxPoints: number;
  value: JsonValue;
  message: Message;
  positions: Position[];
}

export interface Score {
  /** 0 to 100; null if nothing was rated. */
  value: number | null;
  rating: Rating;
  earned: number;
  possible: number;
  applicable: number;
  cappedBy: 'noindex' | 'no_keyphrase' | 'no_content' | null;
}

export interface LanguageInfo {
  declared: string | null;
  used: string;
  detected: string | null;
  confidence: number | null;
  level: SupportLevel;
  stemming: boolean;
  functionWords: boolean;
  transitionWords: boolean;
  passiveVoice: boolean;
  readingEase: boolean;
}

export interface OutlineEntry {
  level: number;
  text: string;
  /** Offset of the heading's first character in the submitted HTML. */
  start: number;
}

export interface Metrics {
  words: number;
  /** Visible characters (code points), whitespace collapsed. */
  characters: number;
  sentences: number;
  paragraphs: number;
  headings: { level: number; count: number }[];
  internalLinks: number;
  outboundLinks: number;
  images: number;
  readingTimeSeconds: number;
  titlePixels: number | null;
  metaDescriptionLength: number;
}

export interface AnalysisWarning {
  code: string;
  /** JSON pointer into the input. */
  pointer?: string;
  message: string;
}

export interface RelatedAnalysis {
  keyphrase: string;
  score: Score;
  checks: CheckResult[];
}

export interface Analysis {
  engineVersion: string;
  /** The id of the ruleset, e.g. `2026.1`. */
  ruleset: string;
  /** `sha256:` and 64 hex digits over the canonical input and the whole ruleset. */
  inputHash: string;
  profile: Profile;
  source: { words: number };
  language: LanguageInfo;
  scores: { seo: Score; readability: Score };
  checks: CheckResult[];
  related: RelatedAnalysis[];
  metrics: Metrics;
  outline: OutlineEntry[];
  warnings: AnalysisWarning[];
}

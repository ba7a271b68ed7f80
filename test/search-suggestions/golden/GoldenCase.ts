import type { AnalysisInput } from '../../../subgraphs/seo/engine/contract.ts';

/** Kinds of pages in the golden set. */
export type PageKind = 'listing' | 'article' | 'product' | 'collection';

/**
 * A page with the texts that a good editor would write for it. They were written before any suggestion of the engine
 * was seen. A text in a list may contain alternatives, separated by `|`.
 */
export interface GoldenCase {
  readonly name: string;
  readonly site: string;
  /** Category of a listing; cars by default. */
  readonly category?: 'motorcycles' | 'commercial-vehicles';
  readonly page: AnalysisInput & {
    readonly locale: string;
    readonly title: string;
    readonly content: string;
  };
  readonly editor: {
    /** Keyphrases that the editor would accept, the best first. */
    readonly keyphrases: readonly string[];
    readonly title: string;
    /** Texts that the title must contain, in this spelling. */
    readonly titleNames: readonly string[];
    readonly description: string;
    /** Texts that the description must contain, regardless of case. */
    readonly descriptionNames: readonly string[];
    readonly slug: string;
    /** Words that the slug must contain. */
    readonly slugWords: readonly string[];
    /** Type and name in the structured data. */
    readonly schemaType: string;
    readonly schemaName: string;
  };
}

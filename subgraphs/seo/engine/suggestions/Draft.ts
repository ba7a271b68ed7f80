import type { AnalysisContext } from '../checks/AnalysisContext.ts';
import type { AnalysisInput, JsonValue } from '../contract.ts';
import type { CheckId, Ruleset } from '../ruleset/Ruleset.ts';

/** A replacement in the submitted HTML: UTF-16 offsets, half open; an empty range inserts. */
export interface ContentEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Changes of a suggestion: members of the analyzed page, or positions in its body. */
export interface Patch {
  readonly members?: Partial<AnalysisInput>;
  readonly edits?: readonly ContentEdit[];
}

/** A suggestion before the checks have seen it. */
export interface Draft {
  readonly value: JsonValue;
  /** Reason for the suggestion, in English. */
  readonly reason: string;
  /** Checks that judge it. */
  readonly basis: readonly CheckId[];
  /** Checks that it must not make worse; all of them by default. */
  readonly decisive?: readonly CheckId[];
  /** 0 to 1, by the share that is taken from the page itself. */
  readonly confidence: number;
  readonly patch: Patch;
}

/** A published object that could be linked to. */
export interface LinkTarget {
  readonly type: string;
  readonly id: string;
  readonly url: string;
  readonly title: string;
  /** Words by which it should be found: its keyphrase, otherwise its title. */
  readonly phrase: string;
}

/** Data of the other pages; empty if it was not requested. */
export interface Neighbours {
  readonly siteName: string;
  /** Keyphrases of other objects, lower case. */
  readonly usedKeyphrases: readonly string[];
  readonly usedSlugs: readonly string[];
  readonly targets: readonly LinkTarget[];
}

/** All inputs of a suggestion. */
export interface Source {
  readonly input: AnalysisInput;
  readonly context: AnalysisContext;
  readonly ruleset: Ruleset;
  readonly neighbours: Neighbours;
}

/** Returns suggestions of one kind, the best first; empty if the page lacks the data. */
export type Suggester = (source: Source) => readonly Draft[];

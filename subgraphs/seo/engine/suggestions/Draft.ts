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
  /** Why just this, in English. */
  readonly reason: string;
  /** Checks that judge it. */
  readonly basis: readonly CheckId[];
  /** Those of them that it must not make worse; all unless stated. */
  readonly decisive?: readonly CheckId[];
  /** 0 to 1, from how much of it is taken from the page itself. */
  readonly confidence: number;
  readonly patch: Patch;
}

/** A published object that could be linked to. */
export interface LinkTarget {
  readonly type: string;
  readonly id: string;
  readonly url: string;
  readonly title: string;
  /** Words that it shall be found by: its keyphrase, else its title. */
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

/** Everything that a suggestion is made of. */
export interface Source {
  readonly input: AnalysisInput;
  readonly context: AnalysisContext;
  readonly ruleset: Ruleset;
  readonly neighbours: Neighbours;
}

/** Makes suggestions of one kind, the best first; none where there is nothing to make them of. */
export type Suggester = (source: Source) => readonly Draft[];

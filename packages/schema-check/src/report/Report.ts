import type { AcceptedChange } from '../acceptedChanges.ts';
import type { Change } from '../Change.ts';
import type { Place } from './createLocator.ts';

/** A change with where to look and whether it is wanted. */
export interface ReportedChange extends Change {
  /** Why the change is accepted; null if it is not accepted. */
  readonly accepted: string | null;
  readonly place: Place;
}

/** The result of a check. */
export interface Report {
  /** Null in a repository without a commit. The commit is null if the base is a folder, file or URL. */
  readonly base: { readonly ref: string; readonly commit: string | null } | null;
  /** Whether the base has no part of the contract, so that nothing was compared. */
  readonly isBaseEmpty: boolean;
  /** Files that the base does not have; they are not compared. */
  readonly missing: readonly string[];
  /** What was compared, as in `3 subgraphs`, so that an empty check is not mistaken for one that passed. */
  readonly compared: readonly string[];
  /** In descending order of severity. */
  readonly changes: readonly ReportedChange[];
  /** File of accepted changes, relative to the project. */
  readonly acceptedChangesFile: string;
  readonly unusedAcceptances: readonly AcceptedChange[];
  /** Generated files that differ from what their sources generate. */
  readonly staleFiles: readonly string[];
}

/** Numbers of changes by severity. */
export interface Counts {
  readonly breaking: number;
  readonly accepted: number;
  readonly dangerous: number;
  readonly safe: number;
}

/** Counts the changes; `breaking` are those that are not accepted. */
export function countChanges({ changes }: Report): Counts {
  const count = (test: (change: ReportedChange) => boolean) => changes.filter(test).length;
  return {
    breaking: count(({ severity, accepted }) => severity === 'breaking' && accepted === null),
    accepted: count(({ accepted }) => accepted !== null),
    dangerous: count(({ severity }) => severity === 'dangerous'),
    safe: count(({ severity }) => severity === 'safe'),
  };
}

/** One line: the counts, and what was compared with what. */
export function summarize(report: Report): string {
  const { base, isBaseEmpty, compared } = report;
  const { breaking, accepted, dangerous, safe } = countChanges(report);
  const counts = `${breaking} breaking, ${accepted} accepted, ${dangerous} dangerous, ${safe} safe`;
  const commit = base?.commit ? ` (${base.commit.slice(0, 12)})` : '';
  const subject = base ? `compared with ${base.ref}${commit}` : 'no commit to compare with';
  const nothing = isBaseEmpty ? '; nothing to compare with' : '';
  return `${counts}; ${subject}${nothing}; read ${compared.join(', ')}`;
}

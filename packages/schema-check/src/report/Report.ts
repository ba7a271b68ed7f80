import { type AcceptedChange, applyAcceptedChanges } from '../acceptedChanges.ts';
import type { Change } from '../Change.ts';
import { exitCodes } from '../exitCodes.ts';
import type { Place } from './createLocator.ts';
import { findCause } from './findCause.ts';
import { helpUriOf } from './helpUriOf.ts';

/** A change with its location and whether it is accepted. */
export interface ReportedChange extends Change {
  /** Reason for accepting the change; null if it is not accepted. */
  readonly accepted: string | null;
  /** Id of the change that causes this one; null if it has no other cause. */
  readonly cause: string | null;
  readonly place: Place;
  /** Address of the page of the rule. */
  readonly help: string;
}

/** The result of a check. */
export interface Report {
  /** Base; null in a repository without a commit. The commit is null if the base is a folder, file or URL. */
  readonly base: { readonly ref: string; readonly commit: string | null } | null;
  /** Whether the base has no contract, so that nothing was compared. */
  readonly isBaseEmpty: boolean;
  /** Files that the base does not have; they are not compared. */
  readonly missing: readonly string[];
  /** Compared parts, as in `3 subgraphs`, so that an empty check is not mistaken for a passed one. */
  readonly compared: readonly string[];
  /** Changes in descending order of severity. */
  readonly changes: readonly ReportedChange[];
  /** File of accepted changes, relative to the project. */
  readonly acceptedChangesFile: string;
  readonly unusedAcceptances: readonly AcceptedChange[];
  /** Generated files that differ from what their sources generate. */
  readonly staleFiles: readonly string[];
}

/**
 * Returns changes with their locations and acceptances, and the entries that accept none of them.
 *
 * @param rulesUrl URL below which the pages of the rules are served; undefined for the files of the package
 */
export function reportChanges(
  changes: readonly Change[],
  entries: readonly AcceptedChange[],
  locate: (change: Change) => Place,
  rulesUrl?: string,
): Pick<Report, 'changes' | 'unusedAcceptances'> {
  const { reasons, unused } = applyAcceptedChanges(changes, entries);
  const ids = new Set(changes.map(({ id }) => id));
  return {
    changes: changes.map((change) => ({
      ...change,
      accepted: reasons.get(change.id) ?? null,
      cause: findCause(change, ids),
      place: locate(change),
      help: helpUriOf(change.kind, rulesUrl),
    })),
    unusedAcceptances: unused,
  };
}

/** Severities that can fail a check; each includes the ones before it. */
export const failingSeverities = ['breaking', 'dangerous'] as const;

/** Lowest severity that fails a check. */
export type FailingSeverity = (typeof failingSeverities)[number];

/** Returns whether a text names a severity that can fail a check. */
export function isFailingSeverity(text: string): text is FailingSeverity {
  return (failingSeverities as readonly string[]).includes(text);
}

/** Returns the exit code of a check. */
export function exitCodeOf(report: Report, failOn: FailingSeverity): number {
  const { breaking, dangerous } = countChanges(report);
  const isFailed = breaking > 0 || (failOn === 'dangerous' && dangerous > 0);
  return (isFailed ? exitCodes.broken : exitCodes.passed).code;
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

/** Returns one line: the counts, and the compared contracts. */
export function summarize(report: Report): string {
  const { base, isBaseEmpty, compared } = report;
  const { breaking, accepted, dangerous, safe } = countChanges(report);
  const counts = `${breaking} breaking, ${accepted} accepted, ${dangerous} dangerous, ${safe} safe`;
  const commit = base?.commit ? ` (${base.commit.slice(0, 12)})` : '';
  const subject = base ? `compared with ${base.ref}${commit}` : 'no commit to compare with';
  const nothing = isBaseEmpty ? '; nothing to compare with' : '';
  return `${counts}; ${subject}${nothing}; read ${compared.join(', ')}`;
}

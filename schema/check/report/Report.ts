import type { AcceptedChange } from '../acceptedChanges.ts';
import type { Change } from '../Change.ts';
import type { Base } from '../git/readBase.ts';
import type { Place } from './createLocator.ts';

/** A change with where to look and whether it is wanted. */
export interface ReportedChange extends Change {
  /** Reason of `schema/accepted-changes.yaml`; null if it is not accepted. */
  readonly accepted: string | null;
  readonly place: Place;
}

/** Everything that the check has to say. */
export interface Report {
  /** Null in a repository without a commit. */
  readonly base: Base | null;
  /** Generated files that the base does not have; what they would tell is not compared. */
  readonly missing: readonly string[];
  /** How much was compared, so that an empty check is not mistaken for a passed one. */
  readonly looked: {
    readonly subgraphs: number;
    readonly routes: number;
    readonly registeredOperations: number;
    readonly loggedOperations: number;
  };
  /** The gravest first. */
  readonly changes: readonly ReportedChange[];
  readonly unusedAcceptances: readonly AcceptedChange[];
  /** Generated files that `npm run generate` would write anew. */
  readonly staleFiles: readonly string[];
}

/** Number of changes by what becomes of them. */
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

/** One line: what was compared with what, and the counts. */
export function summarize(report: Report): string {
  const { base, missing, looked } = report;
  const { breaking, accepted, dangerous, safe } = countChanges(report);
  const compared = base
    ? `compared with ${base.ref} (${base.commit.slice(0, 12)})`
    : 'no commit to compare with';
  const counts = `${breaking} breaking, ${accepted} accepted, ${dangerous} dangerous, ${safe} safe`;
  const extent = `${looked.subgraphs} subgraphs, ${looked.routes} routes, ${looked.registeredOperations} registered operations, ${looked.loggedOperations} operations of logs`;
  const nothing = base === null || missing.length === 3 ? '; nothing to compare with' : '';
  return `${counts}; ${compared}${nothing}; looked at ${extent}`;
}

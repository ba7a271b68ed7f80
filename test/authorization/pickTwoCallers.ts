import { type Case, type Cell, casesOf, type Operation } from './Operation.ts';
import { type Expected, words } from './rules.ts';

/** One cell with everything that is needed to run it and to say what went wrong. */
export interface Planned {
  readonly operation: Operation;
  readonly entry: Case;
  readonly cell: Cell;
  /** As in `GET /api/v1/me`; null for GraphQL. */
  readonly route: string | null;
  readonly expected: Expected;
}

/** Codes of refusals that follow from caller and field alone, before any input is read. */
const decidedByCaller: ReadonlySet<string> = new Set([
  'token_missing',
  'token_invalid',
  'token_malformed',
  'token_expired',
  'session_revoked',
  'subject_unknown',
  'installation_mismatch',
  'account_suspended',
  'account_deletion_scheduled',
  'user_token_required',
  'insufficient_scope',
  'origin_not_allowed',
  'permission_required',
  'mfa_required',
  'reauthentication_required',
]);

/**
 * Two callers for each case, route and expected outcome; for a refusal that follows from the caller alone, one caller and
 * one case of the field. Which callers differs from field to field, so that every caller appears; it is the same for all
 * routes and items of a field, so that their answers can be compared.
 */
export function pickTwoCallers(cells: readonly Planned[]): Planned[] {
  const groups = Map.groupBy(cells, (cell) => {
    const { operation, entry, route, expected } = cell;
    const place = isDecidedByCaller(cell) ? 'any case' : casesOf(operation).indexOf(entry);
    return [operation.field, place, route, words(expected)].join();
  });
  return [...groups.values()].flatMap((group) => {
    const [cell] = group as [Planned];
    const first = sumOfCodes(`${cell.operation.field} ${words(cell.expected)}`) % group.length;
    if (isDecidedByCaller(cell)) return group.slice(first, first + 1);
    const second = (first + Math.ceil(group.length / 2)) % group.length;
    return group.filter((_, index) => index === first || index === second);
  });
}

function isDecidedByCaller({ expected, entry }: Planned): boolean {
  return expected !== 'answered' && decidedByCaller.has(expected.code) && !entry.rule;
}

function sumOfCodes(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
}

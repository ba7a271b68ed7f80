import { type Case, type Cell, casesOf, type Operation } from './Operation.ts';
import { type Expected, words } from './rules.ts';

/** One cell with the data for running it and for reporting its faults. */
export interface Planned {
  readonly operation: Operation;
  readonly entry: Case;
  readonly cell: Cell;
  /** As in `GET /api/v1/me`; null for GraphQL. */
  readonly route: string | null;
  readonly expected: Expected;
}

/** Codes of refusals of a request's token, which do not depend on its fields. */
const decidedByToken: ReadonlySet<string> = new Set([
  'token_invalid',
  'token_malformed',
  'token_expired',
  'session_revoked',
  'subject_unknown',
  'installation_mismatch',
]);

/** Codes of refusals that follow from caller and field alone, before any input is read. */
const decidedByCaller: ReadonlySet<string> = new Set([
  ...decidedByToken,
  'token_missing',
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
 * Picks two callers for each case and expected outcome of a field, and one of them for each of its routes. For a refusal
 * that depends only on the caller, it picks one caller and one case of the field. The callers differ between fields, so
 * that every caller appears. They are the same for all routes and items of a field, so that answers can be compared.
 *
 * Each field has two of the refusals of a token, because all fields share them. Each route has three of the refusals that
 * depend only on the caller, because its field causes them. The refusals differ between fields.
 */
export function pickTwoCallers(cells: readonly Planned[]): Planned[] {
  const [byCaller, others] = [
    cells.filter(isDecidedByCaller),
    cells.filter((one) => !isDecidedByCaller(one)),
  ];
  const places = Map.groupBy(byCaller, ({ operation, route }) => `${operation.field} ${route}`);
  return [...[...places.values()].flatMap(pickRefusals), ...pickOutcomes(others)];
}

/** One cell for each of the picked refusals that depend only on the caller. */
function pickRefusals(cells: readonly Planned[]): Planned[] {
  const [{ operation, route }] = cells as [Planned];
  const codes = Map.groupBy(cells, ({ expected }) => words(expected));
  const isOfToken = (name: string) => decidedByToken.has(name.split(' ')[1] ?? '');
  const names = [...codes.keys()].sort();
  const picked =
    route === null
      ? [
          ...names.filter((name) => !isOfToken(name)),
          ...rotate(names.filter(isOfToken), operation).slice(0, 2),
        ]
      : rotate(names, operation).slice(0, 3);
  return picked.map((name) => {
    const group = codes.get(name) ?? [];
    return group[sumOfCodes(`${operation.field} ${name}`) % group.length] as Planned;
  });
}

function pickOutcomes(cells: readonly Planned[]): Planned[] {
  const groups = Map.groupBy(cells, ({ operation, entry, route, expected }) =>
    [operation.field, casesOf(operation).indexOf(entry), route, words(expected)].join(),
  );
  return [...groups.values()].flatMap((group) => {
    const [cell] = group as [Planned];
    const first = sumOfCodes(`${cell.operation.field} ${words(cell.expected)}`) % group.length;
    const second = cell.route === null ? (first + Math.ceil(group.length / 2)) % group.length : first;
    return group.filter((_, index) => index === first || index === second);
  });
}

/** The names in an order that starts at a different one for each field. */
function rotate(names: readonly string[], { field }: Operation): string[] {
  const start = sumOfCodes(field) % Math.max(names.length, 1);
  return [...names.slice(start), ...names.slice(0, start)];
}

function isDecidedByCaller({ expected, entry }: Planned): boolean {
  return expected !== 'answered' && decidedByCaller.has(expected.code) && !entry.rule;
}

function sumOfCodes(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
}

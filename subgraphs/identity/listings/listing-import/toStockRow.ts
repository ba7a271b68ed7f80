import { createHash } from 'node:crypto';
import type { FieldProblem } from '../../../../schema/Problem.ts';
import { compileInput, type InputReader } from '../../../../schema/route/compileInput.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import type { UpsertInventoryListingInput } from '../../identity.generated.ts';
import type { StockRow } from '../inventory/StockRow.ts';
import { toRow } from '../inventory/upsertInventoryListing.ts';
import type { FeedRow } from './feed/FeedRow.ts';
import { rowMembers } from './feed/rowType.ts';

let reader: InputReader | undefined;

/**
 * Converts a row of a feed to the form of a single request.
 *
 * @throws AppError with all errors in its form
 */
export function toStockRow({ members, isText, problems }: FeedRow): StockRow {
  const [first] = problems;
  if (first?.code === 'invalid_json') throw new AppError('invalid_json', first.detail);
  if (!members || first) throw invalidFields(problems);
  reader ??= compileInput(rowMembers(), { snakeCase: false, readOnly: new Set(), optional: new Set() });
  const found: FieldProblem[] = [];
  const input = reader(members, found) as Omit<UpsertInventoryListingInput, 'dealerId'>;
  if (found.length > 0) throw invalidFields(found);
  // Canonicalized in the same way as GraphQL does for a single request.
  const [language] = input.language ? Intl.getCanonicalLocales(input.language.replaceAll('_', '-')) : [];
  const row = toRow(language ? { ...input, language } : input);
  return { ...row, stockNumber: row.stockNumber.trim(), isText, digest: digestOf(members, isText) };
}

/** Returns the stock number of a row, valid or not, if it can be read. */
export function stockNumberOf({ members }: FeedRow): string | null {
  const number = members?.stockNumber;
  return typeof number === 'string' && number.trim() !== '' ? number.trim().slice(0, 64) : null;
}

/** Returns a digest of the row, regardless of the order of its members. */
function digestOf(members: object, isText: boolean): string {
  return createHash('sha256')
    .update(isText ? 'table' : 'lines')
    .update(JSON.stringify(members, sorted))
    .digest('base64url');
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

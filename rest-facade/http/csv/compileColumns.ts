import { getNullableType, isListType } from 'graphql';
import type { FieldShape, SelectionShape } from '../../../schema/route/selectionShape.ts';

/** Column of a table: its name and its value of an entry. */
export interface Column {
  /** Response keys, joined by dots. */
  readonly name: string;
  read(entry: unknown): Cell;
}

/** Returns the text of a value; null for an empty cell. */
export type Cell = string | number | null;

/**
 * Compiles the columns of a table: one for each selected leaf, in the order of the document. A list is one cell with
 * JSON text, so that rows are not multiplied.
 */
export function compileColumns(shape: SelectionShape | undefined): Column[] {
  return leavesOf(shape, []).map((path) => ({
    name: path.join('.'),
    read: (entry) => toCell(valueAt(entry, path)),
  }));
}

function leavesOf(shape: SelectionShape | undefined, parents: readonly string[]): string[][] {
  const fields = new Map<string, FieldShape>();
  for (const field of (shape?.variants ?? []).flatMap((variant) => variant.fields))
    fields.set(field.key, field);
  return [...fields.values()].flatMap((field) => {
    const path = [...parents, field.key];
    return field.shape && !isListType(getNullableType(field.type)) ? leavesOf(field.shape, path) : [path];
  });
}

function valueAt(entry: unknown, path: readonly string[]): unknown {
  let value = entry;
  for (const key of path) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value;
}

function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return harmless(value);
  if (typeof value === 'boolean') return String(value);
  return harmless(JSON.stringify(value));
}

/** First characters of a formula in spreadsheets, also after blanks and in full width. */
const formula = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

/**
 * Returns a text that spreadsheets do not evaluate: a user named `=HYPERLINK(…)` must not inject a formula into another
 * user's table (CSV injection).
 */
function harmless(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import type { FieldProblem } from '../../../../../schema/Problem.ts';
import { shown } from '../../../../../schema/Problem.ts';
import { invalidField, invalidFields, problem } from '../../../../platform/errors/AppError.ts';
import { findColumn, findWholes } from './columns.ts';
import { type FeedRow, longestRow } from './FeedRow.ts';

type Column = NonNullable<ReturnType<typeof findColumn>>;

/** The first line must be complete by then, because it shows how cells are separated. */
const longestHeader = 64 * 1024;
const separators = [',', ';', '\t'] as const;

/**
 * Yields the rows of a table (CSV, RFC 4180). The first line names the columns, and its separator separates all cells.
 * Quotes enclose separators and line ends. A row of another length becomes a row with an error.
 *
 * @throws AppError if the table is unreadable: missing, unknown or duplicate columns, or an unclosed quote
 */
export async function* readTable(text: AsyncGenerator<string>): AsyncGenerator<FeedRow> {
  const start = await readStart(text);
  const parser = parse({
    delimiter: separatorOf(start),
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: longestRow,
  });
  // Errors of the pipeline are thrown where its records are read.
  pipeline(Readable.from(joined(start, text)), parser).catch(() => undefined);
  let columns: readonly Column[] | null = null;
  let number = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (!columns) columns = readHeader(cells);
      else yield toRow((number += 1), cells, columns);
    }
  } catch (error) {
    throw toFailure(error, number);
  } finally {
    parser.destroy();
  }
  if (!columns) throw invalidField('#', 'The feed is empty. Its first line must contain the column names.');
}

async function readStart(text: AsyncGenerator<string>): Promise<string> {
  let start = '';
  while (!start.includes('\n') && start.length < longestHeader) {
    const { done, value } = await text.next();
    if (done) break;
    start += value;
  }
  return start;
}

async function* joined(start: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (start !== '') yield start;
  yield* rest;
}

/** Returns the separator. Column names contain no separators, so the most frequent one is used. */
function separatorOf(start: string): string {
  const [header = ''] = start.split('\n', 1);
  const counts = separators.map((separator) => header.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

function readHeader(cells: readonly string[]): Column[] {
  const names = cells.map((cell) => cell.trim());
  const problems: FieldProblem[] = [];
  const columns = names.map((name, index) => {
    const column = findColumn(name);
    if (!column)
      problems.push(columnProblem(index, 'unknown_field', `The column "${shown(name)}" is unknown.`));
    else if (names.indexOf(name) !== index)
      problems.push(columnProblem(index, 'validation_failed', `The column "${name}" appears twice.`));
    return column;
  });
  if (problems.length === 0 && !names.includes('stockNumber'))
    problems.push(problem('#', 'The column "stockNumber" is missing.'));
  if (problems.length > 0) throw invalidFields(problems);
  return columns as Column[];
}

/** Returns the error of a column. The pointer counts columns from 0. */
function columnProblem(index: number, code: string, detail: string): FieldProblem {
  return { pointer: `#/columns/${index}`, code, detail };
}

function toRow(number: number, cells: readonly string[], columns: readonly Column[]): FeedRow {
  if (cells.length !== columns.length) {
    const detail = `The row has ${cells.length} cells, but the table has ${columns.length} columns.`;
    return {
      number,
      members: null,
      isText: true,
      problems: [problem('#', detail)],
    };
  }
  const members: Record<string, unknown> = {};
  for (const [index, { path, read, empty }] of columns.entries()) {
    const cell = cells[index] ?? '';
    const value = cell.trim() === '' ? empty : read(cell);
    if (value !== undefined) put(members, path, value);
  }
  for (const { path, needs } of findWholes()) clearIfEmpty(members, path, needs);
  return { number, members, isText: true, problems: [] };
}

function put(members: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...inner] = path;
  if (inner.length === 0) members[name] = value;
  else {
    members[name] ??= {};
    put(members[name] as Record<string, unknown>, inner, value);
  }
}

function clearIfEmpty(
  members: Record<string, unknown>,
  path: readonly string[],
  needs: readonly string[],
): void {
  const [name = '', ...inner] = path;
  const value = members[name] as Record<string, unknown> | null | undefined;
  if (!value) return;
  if (inner.length > 0) clearIfEmpty(value, inner, needs);
  else if (needs.every((need) => (value[need] ?? null) === null)) members[name] = null;
}

function toFailure(error: unknown, rows: number): unknown {
  if (!(error instanceof CsvError)) return error;
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return invalidField(
      '#',
      `Row ${rows + 1} has more than ${longestRow} characters. Check for a missing closing quote.`,
    );
  return invalidField('#', `The table cannot be parsed after row ${rows}: it contains a misplaced quote.`);
}

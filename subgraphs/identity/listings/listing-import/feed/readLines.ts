import { scanJson } from '../../../../../schema/scanJson.ts';
import { invalidField } from '../../../../platform/errors/AppError.ts';
import { type FeedRow, longestRow } from './FeedRow.ts';

/** Levels of lists and objects in a row, as in the body of a single listing. */
const deepest = 20;

/**
 * Yields the rows of a feed of JSON texts, one for each line (NDJSON). Empty lines are skipped. A line that is not a
 * JSON object becomes a row with an error; other lines are not affected.
 *
 * @throws AppError `validation_failed` for a line without an end
 */
export async function* readLines(text: AsyncIterable<string>): AsyncGenerator<FeedRow> {
  let number = 0;
  for await (const line of split(text)) {
    if (line.trim() === '') continue;
    number += 1;
    yield toRow(number, line);
  }
}

async function* split(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of text) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > longestRow)
      throw invalidField(
        '#',
        `A line has more than ${longestRow} characters. A JSON feed must have one object per line.`,
      );
  }
  yield rest;
}

function toRow(number: number, line: string): FeedRow {
  if (scanJson(line, deepest).tooDeepAt !== -1)
    return unreadable(number, `The line is nested deeper than ${deepest} levels of lists and objects.`);
  const value = parse(line);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { number, members: value as Record<string, unknown>, isText: false, problems: [] };
  return unreadable(number, 'The line is not a JSON object.');
}

function unreadable(number: number, detail: string): FeedRow {
  return { number, members: null, isText: false, problems: [{ pointer: '#', code: 'invalid_json', detail }] };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

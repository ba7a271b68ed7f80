import { readFileSync } from 'node:fs';
import { parse } from 'graphql';
import { UsageError } from '../UsageError.ts';

/**
 * Reads the `OPERATIONS_LOG` of a router: one JSON object per line, with the operation in `document`. Returns each text
 * once.
 *
 * @throws UsageError if the file cannot be read or a line is not an operation
 */
export function readOperationsLog(file: string): string[] {
  const documents = new Set<string>();
  for (const [index, line] of readLines(file).entries()) {
    if (line.trim() === '') continue;
    documents.add(readLine(line, `${file}, line ${index + 1}`));
  }
  return [...documents];
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read; pass the file to which OPERATIONS_LOG of a router is set.`,
      {
        cause: error,
      },
    );
  }
}

function readLine(line: string, place: string): string {
  try {
    const { document } = JSON.parse(line) as { document: string };
    parse(document);
    return document;
  } catch (error) {
    throw new UsageError(
      `${place} is not an entry of an operations log; each line must be {"document": "query …"}.`,
      {
        cause: error,
      },
    );
  }
}

import { appendFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Prepared } from '../execution/Engine.ts';
import { withoutLiterals } from '../usage/withoutLiterals.ts';

/** Writes down which operations clients send, for `npm run schema:check -- --operations-log`. */
export interface OperationsLog {
  /** Writes an operation, unless it is already known. */
  note(prepared: Prepared): void;
}

/** Distinct operations that are remembered as written; one beyond them is written once more, which does no harm. */
const remembered = 10_000;

/**
 * Opens a log that appends each distinct operation to a file, one JSON object for each line: `{"at", "operationName",
 * "document"}`. Literals are emptied, because users write names, numbers and secrets into them; variables are never
 * read. A failed write is logged once and affects no request.
 */
export function openOperationsLog(file: string, log: Logger, now: () => number): OperationsLog {
  const seen = new WeakSet<Prepared>();
  const written = new LRUCache<string, true>({ max: remembered });
  let failed = false;
  return {
    note(prepared) {
      if (seen.has(prepared)) return;
      seen.add(prepared);
      const document = withoutLiterals(prepared.document);
      if (written.has(document)) return;
      written.set(document, true);
      const { operationName = null } = prepared;
      const line = JSON.stringify({ at: new Date(now()).toISOString(), operationName, document });
      appendFile(file, `${line}\n`).catch((error: unknown) => {
        if (!failed) log.error({ err: error, file }, 'the log of operations cannot be written');
        failed = true;
      });
    },
  };
}

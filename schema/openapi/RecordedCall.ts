import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Recorded call of a route and its response, with replaced ids, times and secrets. */
export interface RecordedCall {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Headers by lower-case name, without the token and the media type. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  /** Body of the answer, if it is JSON; of its lists the first entries. */
  readonly answer?: unknown;
}

/** Calls by method and path template, as in `GET /api/v1/me`. */
export type RecordedCalls = Readonly<Record<string, RecordedCall>>;

/** File in which `npm run examples` stores the calls of `test/contract/documentedAnswers.test.ts`. */
export const recordedCallsFile = path.join(import.meta.dirname, 'recordedCalls.json');

/** Returns the recorded calls; none without a record. */
export function readRecordedCalls(): RecordedCalls {
  return existsSync(recordedCallsFile) ? JSON.parse(readFileSync(recordedCallsFile, 'utf8')) : {};
}

/** Returns the name of a route in the record. */
export function callName({ method, path: template }: { method: string; path: string }): string {
  return `${method} ${template}`;
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Recorded call of a route and its response, with replaced ids, times and secrets. */
export interface RecordedCall {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** By lower-case name; the token and the media type are left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  /** Body of the answer, if it is JSON; of its lists the first entries. */
  readonly answer?: unknown;
}

/** By method and path template, as in `GET /api/v1/me`. */
export type RecordedCalls = Readonly<Record<string, RecordedCall>>;

/** Where `npm run examples` writes what `test/contract/documentedAnswers.test.ts` has sent and received. */
export const recordedCallsFile = path.join(import.meta.dirname, 'recordedCalls.json');

/** The recorded calls; none where there is no record. */
export function readRecordedCalls(): RecordedCalls {
  return existsSync(recordedCallsFile) ? JSON.parse(readFileSync(recordedCallsFile, 'utf8')) : {};
}

/** Name of a route in the record. */
export function callName({ method, path: template }: { method: string; path: string }): string {
  return `${method} ${template}`;
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { type Change, type ChangeKind, changeKinds, isChangeKind } from './Change.ts';
import { documentKinds } from './kinds/documentKinds.ts';
import { UsageError } from './UsageError.ts';

/** A breaking change that is wanted. */
export interface AcceptedChange {
  /** `<kind>:<path>` of the change. */
  readonly id: string;
  /** Reason for accepting the change; included in the report. */
  readonly reason: string;
}

/**
 * Parses the breaking changes that a project accepts: a list of `{id, reason}`.
 *
 * @param file name of the file, for errors
 * @throws UsageError with one line for an invalid entry: an unknown kind, a kind that is never breaking, a missing
 *   reason, or a second entry for one change
 */
export function readAcceptedChanges(text: string, file: string): AcceptedChange[] {
  try {
    const entries = parseList(text).map(toAcceptedChange);
    const seen = new Set<string>();
    for (const { id } of entries) {
      if (seen.has(id)) throw new Error(`"${id}" is listed twice; keep one entry`);
      seen.add(id);
    }
    return entries;
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
}

function parseList(text: string): unknown[] {
  let list: unknown;
  try {
    list = parse(text);
  } catch (error) {
    const [line = ''] = error instanceof Error ? error.message.split('\n', 1) : [];
    throw new Error(`it is not YAML (${line})`, { cause: error });
  }
  if (list === null || list === undefined) return [];
  if (!Array.isArray(list)) throw new Error('it must be a list of {id, reason}');
  return list as unknown[];
}

function toAcceptedChange(entry: unknown, index: number): AcceptedChange {
  const place = `entry ${index + 1}`;
  if (typeof entry !== 'object' || entry === null) throw new Error(`${place} must be {id, reason}`);
  const { id, reason, ...more } = entry as Record<string, unknown>;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) throw new Error(`${place} has an unknown member "${unknown}"`);
  if (typeof id !== 'string' || !id.includes(':')) throw new Error(`${place} needs an id, "<kind>:<path>"`);
  const kind = id.slice(0, id.indexOf(':'));
  if (!isChangeKind(kind)) throw new Error(`${place} names the unknown kind "${kind}"`);
  if (changeKinds[kind].severity !== 'breaking') throw new Error(`${place}: "${kind}" is never breaking`);
  if (!isAcceptable(kind)) throw new Error(`${place}: "${kind}" is an error to fix, not a change to accept`);
  if (typeof reason !== 'string' || reason.trim() === '') throw new Error(`${place} (${id}) needs a reason`);
  return { id, reason: reason.trim() };
}

/**
 * Reads the file of accepted changes of a project; without a file nothing is accepted.
 *
 * @param file relative to the project
 * @throws UsageError as `readAcceptedChanges`
 */
export function readAcceptedFile(directory: string, file: string): AcceptedChange[] {
  const absolute = path.join(directory, file);
  return existsSync(absolute) ? readAcceptedChanges(readFileSync(absolute, 'utf8'), file) : [];
}

/** Returns whether a change of this kind may be accepted, which excludes contracts that are invalid in themselves. */
export function isAcceptable(kind: ChangeKind): boolean {
  return kind !== 'guard-missing' && !Object.hasOwn(documentKinds, kind);
}

/** Returns the reason of each accepted breaking change by id, and the entries that match no change. */
export function applyAcceptedChanges(changes: readonly Change[], entries: readonly AcceptedChange[]) {
  const breaking = new Set(
    changes.filter(({ severity }) => severity === 'breaking').map((change) => change.id),
  );
  return {
    reasons: new Map(entries.filter(({ id }) => breaking.has(id)).map(({ id, reason }) => [id, reason])),
    unused: entries.filter(({ id }) => !breaking.has(id)),
  };
}

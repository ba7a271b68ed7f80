import { documentKinds } from './kinds/documentKinds.ts';
import { graphKinds } from './kinds/graphKinds.ts';
import { guardKinds } from './kinds/guardKinds.ts';
import { restKinds } from './kinds/restKinds.ts';
import type { KindMeaning, Severity } from './kinds/Severity.ts';
import { schemaKinds } from './kinds/schemaKinds.ts';

/** All kinds of findings with their meaning. `docs/how-to/schema-checks.md` contains the same list. */
export const changeKinds = {
  ...documentKinds,
  ...graphKinds,
  ...guardKinds,
  ...restKinds,
  ...schemaKinds,
} as const satisfies Record<string, KindMeaning>;

/** Name of a kind, as in `field-removed`. */
export type ChangeKind = keyof typeof changeKinds;

/** A difference between the contract of the base and that of the working tree. */
export interface Change {
  /** `<kind>:<path>`; stays the same for the same difference, so that acceptances can name it. */
  readonly id: string;
  readonly kind: ChangeKind;
  /** Schema coordinate, route and member, or file. */
  readonly path: string;
  readonly severity: Severity;
  /** Difference in one sentence. */
  readonly message: string;
  /** Line of the file in `path`, from 1, if it is known. */
  readonly line?: number;
}

/**
 * Creates a change.
 *
 * @param severity if the circumstances change it from that of its kind
 */
export function toChange(
  kind: ChangeKind,
  path: string,
  message: string,
  severity: Severity = changeKinds[kind].severity,
): Change {
  return { id: `${kind}:${path}`, kind, path, severity, message };
}

/** Returns whether a text names a kind. */
export function isChangeKind(text: string): text is ChangeKind {
  return Object.hasOwn(changeKinds, text);
}

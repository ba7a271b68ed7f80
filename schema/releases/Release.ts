import type { Change } from '../../packages/schema-check/src/Change.ts';

/** A change between two releases. */
export type ReleasedChange = Pick<Change, 'id' | 'kind' | 'path' | 'severity' | 'message'> & {
  /** Reason for accepting a breaking change, if `schema/accepted-changes.yaml` stated one. */
  readonly reason?: string;
};

/** The contract at a release: later changes are listed against it. */
export interface Release {
  /** Public name: a version, or a day. */
  readonly name: string;
  /** Time when it was stored, or time of its commit (RFC 3339); null before the release. */
  readonly at: string | null;
  readonly api: string;
  readonly supergraph: string;
  /** OpenAPI document, as JSON text. */
  readonly openApi: string;
  /** Result of the schema check against the previous release; absent for the first one. */
  readonly changes?: readonly ReleasedChange[];
}

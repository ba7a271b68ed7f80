import type { Json } from './rest/Json.ts';

/** A file with operations; its path is relative to the project. */
export interface SourceDocument {
  readonly file: string;
  /** Id of the document in a manifest of several. */
  readonly id?: string;
  readonly text: string;
}

/** A state of a contract. A part that is null on either side is not compared. */
export interface Contract {
  /** SDL of the supergraph, with the guard directives on its fields. */
  readonly supergraph: string | null;
  /** SDL of the schema that clients see. */
  readonly api: string | null;
  readonly openApi: Json | null;
  /** Operations that clients have registered. */
  readonly operations: readonly SourceDocument[];
}

/** The empty contract of a base without one. */
export const emptyContract: Contract = { supergraph: null, api: null, openApi: null, operations: [] };

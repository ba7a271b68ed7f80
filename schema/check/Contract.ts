import type { Change } from '../../packages/schema-check/src/Change.ts';
import type { Contract, SourceDocument } from '../../packages/schema-check/src/Contract.ts';
import type { Composed, SubgraphSource } from '../../packages/schema-check/src/compose/composeSupergraph.ts';
import type { Json } from '../../packages/schema-check/src/rest/Json.ts';
import type { Route } from '../route/Route.ts';

/** The contract that was committed. Clients of the base may still send its operations. */
export interface BaseContract extends Contract {
  /** REST documents: what they use cannot be removed in the same release. */
  readonly routeDocuments: readonly SourceDocument[];
}

/** The sources of a contract in the working tree. */
export interface ContractSource {
  readonly subgraphs: readonly SubgraphSource[];
  readonly routes: readonly Route[];
  /** Files of the REST documents and of their shared fragments, for the locations of errors. */
  readonly routeDocuments: readonly SourceDocument[];
  /** Operations that frontends have registered: documents and manifests in `schema/operations`. */
  readonly operations: readonly SourceDocument[];
  /** Texts of operations that clients were seen to send. */
  readonly logged: readonly string[];
  /** Findings about sources that cannot be read. */
  readonly findings: readonly Change[];
}

/** Generated contract of a working tree, and the faults that prevented parts of it. */
export interface GeneratedContract {
  /** Null if the subgraphs do not compose. */
  readonly composed: Composed | null;
  /** OpenAPI of the routes that match the schema; null if nothing was composed. */
  readonly openApi: Json | null;
  /** Routes that fit the schema. */
  readonly routes: readonly Route[];
  readonly findings: readonly Change[];
}

/** Folder of registered operations, relative to the project. */
export const operationsFolder = 'schema/operations';

/** List of accepted breaking changes, relative to the project. */
export const acceptedChangesFile = 'schema/accepted-changes.yaml';

/** Folder of the REST documents, relative to the project. */
export const routesFolder = 'rest-facade';

import type { Composed, SubgraphSource } from '../compose/composeSupergraph.ts';
import type { Route } from '../route/Route.ts';
import type { Change } from './Change.ts';
import type { Json } from './rest/Json.ts';

/** A file with operations, relative to the project. */
export interface SourceDocument {
  readonly file: string;
  readonly text: string;
}

/** What was committed: the three generated files, where the base has them, and everything that used them. */
export interface BaseContract {
  readonly supergraph: string | null;
  readonly api: string | null;
  readonly openApi: string | null;
  /** REST documents and registered operations; clients of the base may still send the latter. */
  readonly documents: readonly SourceDocument[];
}

/** What the working tree says, before anything is generated of it. */
export interface ContractSource {
  readonly subgraphs: readonly SubgraphSource[];
  readonly routes: readonly Route[];
  /** Operations that frontends have registered, `schema/operations/*.graphql`. */
  readonly operations: readonly SourceDocument[];
  /** Texts of operations that clients were seen to send. */
  readonly logged: readonly string[];
  /** What could not be read. */
  readonly findings: readonly Change[];
}

/** What is generated of a working tree, and what kept parts of it from being generated. */
export interface GeneratedContract {
  /** Null if the subgraphs do not compose. */
  readonly composed: Composed | null;
  /** Of the routes that fit the schema; null if nothing was composed. */
  readonly openApi: Json | null;
  /** Routes that fit the schema. */
  readonly routes: readonly Route[];
  readonly findings: readonly Change[];
}

/** Folder of registered operations, relative to the project. */
export const operationsFolder = 'schema/operations';

/** Folder of the REST documents, relative to the project. */
export const routesFolder = 'rest-facade';

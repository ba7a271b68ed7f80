/** An operation, as the usage ledger counts it. */
export interface UsedOperation {
  /** Hash of the document without literals. */
  readonly hash: string;
  readonly name: string | null;
  /** Schema coordinates, and `Type.*` for an enum or input object that is used as a whole. */
  readonly coordinates: readonly string[];
}

/** One execution. */
export interface Usage {
  readonly installationId: string;
  /** Id of the API client, otherwise the name that the client states; undefined without either. */
  readonly client: string | undefined;
  /** Whether `client` is a name, which clients choose freely. */
  readonly isNamed: boolean;
  /** Method and path of the REST route; undefined for GraphQL. */
  readonly route: string | undefined;
  readonly operation: UsedOperation;
  /** Whether the operation was known at start, so that it is not limited in number. */
  readonly isKnown: boolean;
}

/** Client of executions without an API client or name. The parentheses cannot be part of a name. */
export const unnamedClient = '(unnamed)';

/** Client, or operation, of executions beyond a limit. */
export const otherUsage = '(other)';

const clientName = /^@?\w[\w./ -]*$/;
const longestName = 64;

/**
 * Returns the name of a client, from the header `apollographql-client-name`; undefined without one. Names that are
 * longer than 64 characters, contain others than word characters, dots, slashes, spaces and hyphens, or look like the id
 * of an API client are ignored.
 */
export function readClientName(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header.length > longestName) return undefined;
  return clientName.test(header) && !header.startsWith('cli_') ? header : undefined;
}

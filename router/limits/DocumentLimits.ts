import { GraphQLError } from 'graphql';

/** Limits of a client's operation. All are checked before planning, variables before execution. */
export interface DocumentLimits {
  /** Lexical tokens of the document. */
  readonly tokens: number;
  /** Levels of brackets of any kind in the document, and of lists and objects in a JSON body. */
  readonly nesting: number;
  /** Maximum depth of fields, with fragments expanded. graphql-js limits introspection itself. */
  readonly depth: number;
  /** Maximum number of aliased fields, with fragments expanded. */
  readonly aliases: number;
  /** Root fields of one operation, fragments unfolded. */
  readonly rootFields: number;
  /** Maximum number of directives in the document. */
  readonly directives: number;
  /** Maximum number of fields with expanded fragments, which determines the cost of planning. */
  readonly selections: number;
  /** Values of the arguments `first`, `last` and `limit`. */
  readonly pageSize: number;
  /** Items of one input list, literal or in variables. A root field's `@guard__limits(arrays:)` replaces it. */
  readonly arrayItems: number;
  /** Levels of lists and objects in one variable. */
  readonly inputDepth: number;
  /** Objects that the answer may hold, estimated from page sizes. */
  readonly nodes: number;
  /** Size assumed for a list that states no page size. */
  readonly assumedListSize: number;
  /** Whether introspection by `__schema` and `__type` is enabled. */
  readonly introspection: boolean;
}

export const defaultLimits: DocumentLimits = {
  tokens: 2000,
  nesting: 64,
  depth: 12,
  aliases: 30,
  rootFields: 20,
  directives: 50,
  selections: 2000,
  pageSize: 100,
  arrayItems: 250,
  inputDepth: 32,
  nodes: 10_000,
  assumedListSize: 10,
  introspection: true,
};

/** Arguments that set the size of a page. */
export const pageSizeArguments: ReadonlySet<string> = new Set(['first', 'last', 'limit']);

/** Returns the refusal of an operation because of its document, regardless of its variables. */
export function documentRefusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
}

/** Returns the refusal of an operation because of its values. */
export function inputRefusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}

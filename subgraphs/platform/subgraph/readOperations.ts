import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  separateOperations,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Execute } from '../federation/askLocally.ts';

/** Prepares a document with one operation for execution on a schema; called once for each document. */
export type PrepareDocument = (document: DocumentNode, operation: OperationTypeNode) => Execute;

/** Text of a document, and the name of one of its operations. */
export interface OperationText {
  readonly query: string;
  /** Empty if the document has one operation. */
  readonly operationName: string;
}

/** A valid operation. */
export interface KnownOperation {
  readonly type: OperationTypeNode;
  /** Contains only this operation and its fragments. */
  readonly document: DocumentNode;
  readonly execute: Execute;
}

/** Returns the operation of a request, or why it is refused. */
export type ReadOperation = (
  text: OperationText,
) => KnownOperation | { readonly errors: readonly GraphQLError[] };

/** Limits of the cached documents, of which routers send few. */
const keptDocuments = 1000;
const keptCharacters = 4 * 1024 * 1024;
const rules = [...specifiedRules, NoSchemaIntrospectionCustomRule];

/** Returns a reader of operations, which parses, validates and prepares each one once. */
export function operationReader(schema: GraphQLSchema, prepare: PrepareDocument): ReadOperation {
  const known = new LRUCache<string, KnownOperation>({
    max: keptDocuments,
    maxSize: keptCharacters,
    sizeCalculation: (_, key) => key.length,
  });
  return (text) => {
    const key = `${text.operationName} ${text.query}`;
    const found = known.get(key);
    if (found) return found;
    const read = readText(schema, text);
    if ('errors' in read) return read;
    const { document, operation } = read;
    const type = operation.operation;
    const valid = { type, document, execute: prepare(document, type) };
    known.set(key, valid);
    return valid;
  };
}

function readText(
  schema: GraphQLSchema,
  { query, operationName }: OperationText,
): { document: DocumentNode; operation: OperationDefinitionNode } | { errors: readonly GraphQLError[] } {
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [withCode(error, 'GRAPHQL_PARSE_FAILED')] };
    throw error;
  }
  const invalid = validate(schema, document, rules);
  if (invalid.length > 0)
    return { errors: invalid.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')) };
  const operation = getOperationAST(document, operationName || null);
  if (!operation)
    return {
      errors: [new GraphQLError('`operationName` must be the name of one operation of the document.')],
    };
  return { document: isolate(document, operation), operation };
}

function isolate(document: DocumentNode, { name }: OperationDefinitionNode): DocumentNode {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operations.length === 1) return document;
  return separateOperations(document)[name?.value ?? ''] ?? document;
}

function withCode({ message, nodes, source, positions }: GraphQLError, code: string): GraphQLError {
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    extensions: { code },
  });
}

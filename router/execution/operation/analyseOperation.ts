import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import { checkDocumentLimits } from '../../limits/checkDocumentLimits.ts';
import type { DocumentLimits } from '../../limits/DocumentLimits.ts';
import { parseWithin } from '../../limits/parseWithin.ts';
import type { Refused } from '../Engine.ts';
import { avoidPlannerFaults, type SafeDocuments } from './avoidPlannerFaults.ts';
import { rootFieldsOf } from './filterRootFields.ts';
import { requestError, withCode } from './requestErrors.ts';
import { conditionVariablesOf } from './resolveConditions.ts';

/** A valid operation, before planning. */
export interface AnalysedOperation extends SafeDocuments {
  /** The client's document with all its operations. */
  readonly source: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly conditionVariables: readonly string[];
}

/** Checks the names of the executed root fields of an operation. Returns the message of the refusal, or null. */
export type CheckRootFields = (operationType: OperationTypeNode, names: readonly string[]) => string | null;

export interface AnalysisContext {
  readonly apiSchema: GraphQLSchema;
  /** `apiSchema` with the directives of operations. */
  readonly validationSchema: GraphQLSchema;
  readonly supergraph: GraphQLSchema;
  readonly fieldNames: ReadonlySet<string>;
  readonly checkRootFields?: CheckRootFields | undefined;
  /** Whether refusals keep names of the schema to themselves that the client did not state. */
  readonly hideSuggestions: boolean;
}

/**
 * Parses and validates an operation.
 *
 * @param limits of clients' documents; null for built-in documents
 */
export function analyseOperation(
  source: string | DocumentNode,
  operationName: string | null | undefined,
  context: AnalysisContext,
  limits: DocumentLimits | null,
): AnalysedOperation | Refused {
  const { apiSchema, validationSchema, supergraph, checkRootFields, hideSuggestions } = context;
  const parsed = typeof source === 'string' ? parseSource(source, limits) : source;
  if ('errors' in parsed) return parsed;
  const tooMuch = limits === null ? [] : checkDocumentLimits(parsed, apiSchema, limits, supergraph);
  if (tooMuch.length > 0) return { errors: tooMuch };
  const invalid = validate(validationSchema, parsed, undefined, { maxErrors: 20, hideSuggestions });
  if (invalid.length > 0) {
    return { errors: invalid.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')) };
  }
  // Errors need locations. Cached documents do not, and locations are half of their size.
  const document = typeof source === 'string' ? parse(source, { noLocation: true }) : source;
  const operation = findOperation(document, operationName);
  if (operation instanceof GraphQLError) return { errors: [operation] };
  const refusal = checkRootFields?.(operation.operation, executedRootFields(document, operation)) ?? null;
  if (refusal !== null) return { errors: [requestError(refusal, 'GRAPHQL_VALIDATION_FAILED')] };
  const safe = avoidPlannerFaults(onlyOperation(document, operation), operation, context);
  if (safe instanceof GraphQLError) return { errors: [safe] };
  const conditionVariables = conditionVariablesOf(safe.safeDocument);
  return { ...safe, source: document, operation, conditionVariables };
}

/** Returns the operation with its fragments. */
function onlyOperation(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const definitions = document.definitions.filter(
    (node) => node === operation || node.kind === Kind.FRAGMENT_DEFINITION,
  );
  return { kind: Kind.DOCUMENT, definitions };
}

/**
 * Returns the names of the root fields, one for each response name, because fields with the same response name are
 * executed once.
 */
function executedRootFields(document: DocumentNode, operation: OperationDefinitionNode): string[] {
  const executed = new Map<string, string>();
  for (const { alias, name } of rootFieldsOf(document, operation))
    executed.set(alias?.value ?? name.value, name.value);
  return [...executed.values()];
}

function parseSource(source: string, limits: DocumentLimits | null): DocumentNode | Refused {
  try {
    return limits === null ? parse(source) : parseWithin(source, limits);
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [withCode(error, 'GRAPHQL_PARSE_FAILED')] };
    throw error;
  }
}

function findOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
): OperationDefinitionNode | GraphQLError {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const wanted = operationName == null || operationName === '' ? null : operationName;
  const found = wanted === null ? operations : operations.filter((node) => node.name?.value === wanted);
  const [operation] = found;
  if (operation === undefined) {
    const message =
      wanted === null ? 'The document has no operation.' : `The document has no operation named "${wanted}".`;
    return requestError(message, 'OPERATION_RESOLUTION_FAILURE');
  }
  if (found.length > 1) {
    const message = 'The document has several operations. Send "operationName".';
    return requestError(message, 'OPERATION_RESOLUTION_FAILURE');
  }
  // Only objects without prototype can have a member with this name.
  if (operation.variableDefinitions?.some((node) => node.variable.name.value === '__proto__')) {
    return requestError('No variable can be named "__proto__".', 'GRAPHQL_VALIDATION_FAILED');
  }
  return operation;
}

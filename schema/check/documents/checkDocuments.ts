import {
  buildSchema,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  validate,
} from 'graphql';
import type { Composed } from '../../compose/composeSupergraph.ts';
import type { Route } from '../../route/Route.ts';
import { type Change, toChange } from '../Change.ts';
import { operationsFolder, routesFolder, type SourceDocument } from '../Contract.ts';
import {
  type PlanFailure,
  type PlannedOperation,
  type PlanOperations,
  planOperations,
} from './planOperations.ts';

/**
 * Validates the registered operations and plans them and the operations of the routes against the supergraph.
 *
 * @param routes bound already, so valid
 */
export function checkDocuments(
  { supergraph, api }: Composed,
  routes: readonly Route[],
  operations: readonly SourceDocument[],
  plan: PlanOperations = planOperations,
): Change[] {
  const schema = buildSchema(api);
  const registered = operations.map((document) => readRegistered(document, schema));
  const planned = [...routeOperations(routes), ...registered.flatMap(({ planned }) => planned)];
  return [...registered.flatMap(({ invalid }) => invalid), ...plan(supergraph, planned).map(toUnplannable)];
}

/** Several routes may share a document. */
function routeOperations(routes: readonly Route[]): PlannedOperation[] {
  const documents = new Map(routes.map(({ file, document }) => [file, document]));
  return [...documents].map(([file, document]) => ({
    file: `${routesFolder}/${file}`,
    text: print(document),
    name: null,
  }));
}

interface Registered {
  readonly invalid: Change[];
  readonly planned: PlannedOperation[];
}

function readRegistered({ file, text }: SourceDocument, schema: GraphQLSchema): Registered {
  const document = parseDocument(text);
  const errors = document instanceof GraphQLError ? [document] : validate(schema, document);
  if (document instanceof GraphQLError || errors.length > 0) {
    const message = errors.map((error) => error.message).join(' ');
    return { invalid: [toChange('document-invalid', file, message)], planned: [] };
  }
  const planned = operationsOf(document).map(({ name }) => ({ file, text, name: name?.value ?? null }));
  return { invalid: [], planned };
}

function parseDocument(text: string): DocumentNode | GraphQLError {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function operationsOf(document: DocumentNode): OperationDefinitionNode[] {
  return document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}

function toUnplannable({ operation, reason }: PlanFailure): Change {
  if (!operation) return toChange('document-unplannable', 'schema/supergraph.graphql', reason);
  return toChange('document-unplannable', operation.file, `${operation.name ?? 'The operation'}: ${reason}`);
}

/** Registered operations of the base that the working tree no longer has, by name. */
export function findRemovedOperations(
  base: readonly SourceDocument[],
  operations: readonly SourceDocument[],
): Change[] {
  const present = new Set(operations.flatMap(namesIn));
  return base
    .filter(({ file }) => file.startsWith(`${operationsFolder}/`))
    .flatMap((document) =>
      namesIn(document)
        .filter((name) => !present.has(name))
        .map((name) => {
          const message = `The registered operation ${name} is gone.`;
          return toChange('operation-removed', `${document.file} ${name}`, message);
        }),
    );
}

function namesIn({ text }: SourceDocument): string[] {
  const document = parseDocument(text);
  if (document instanceof GraphQLError) return [];
  return operationsOf(document).map(({ name }) => name?.value ?? '(anonymous)');
}

import {
  buildSchema,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { type Change, toChange } from '../Change.ts';
import type { Contract, SourceDocument } from '../Contract.ts';
import {
  type PlanFailure,
  type PlannedOperation,
  type PlanOperations,
  planOperations,
} from './planOperations.ts';

/**
 * Validates and plans the registered operations. Without a supergraph nothing is planned.
 *
 * @param planned further operations that are already valid
 */
export function checkDocuments(
  { supergraph, api, operations }: Contract & { readonly api: string },
  planned: readonly SourceDocument[],
  plan: PlanOperations = planOperations,
): Change[] {
  const schema = buildSchema(api);
  const registered = operations.map((document) => readRegistered(document, schema));
  const invalid = registered.flatMap((document) => document.invalid);
  if (supergraph === null) return invalid;
  const all = [
    ...planned.map(({ file, text }) => ({ file, text, name: null })),
    ...registered.flatMap((document) => document.planned),
  ];
  return [...invalid, ...plan(supergraph, all).map(toUnplannable)];
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
  if (!operation) return toChange('document-unplannable', 'supergraph', reason);
  return toChange('document-unplannable', operation.file, `${operation.name ?? 'The operation'}: ${reason}`);
}

/** Returns the removed registered operations of the base, by name. */
export function findRemovedOperations(
  base: readonly SourceDocument[],
  operations: readonly SourceDocument[],
): Change[] {
  const present = new Set(operations.flatMap(namesIn));
  return base.flatMap((document) =>
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

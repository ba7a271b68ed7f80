import { buildSchema, GraphQLError, type GraphQLSchema, parse, print, validate } from 'graphql';
import { type Change, toChange } from '../Change.ts';
import type { Contract, SourceDocument } from '../Contract.ts';
import { findInvalid, nameOf } from './findInvalid.ts';
import { type JoinedDocument, joinFragments, operationsIn } from './joinFragments.ts';
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
  const registered = joinFragments(operations);
  const invalid = findInvalid(registered, schema);
  if (supergraph === null) return invalid;
  const all = [
    ...planned.map(({ file, text }) => ({ file, text, name: null })),
    ...registered.flatMap((joined) => operationsToPlan(joined, schema)),
  ];
  return [...invalid, ...plan(supergraph, all).map(toUnplannable)];
}

/** Returns the operations of a valid document; an invalid one is reported as such. */
function operationsToPlan({ source, document }: JoinedDocument, schema: GraphQLSchema): PlannedOperation[] {
  if (document instanceof GraphQLError || validate(schema, document).length > 0) return [];
  const text = print(document);
  return operationsIn(document).map(({ name }) => ({
    file: nameOf(source),
    text,
    name: name?.value ?? null,
  }));
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
        const message = `The registered operation ${name} was removed.`;
        return toChange('operation-removed', `${document.file} ${name}`, message);
      }),
  );
}

function namesIn({ text }: SourceDocument): string[] {
  try {
    return operationsIn(parse(text)).map(({ name }) => name?.value ?? '(anonymous)');
  } catch {
    // An unreadable document names no operation.
    return [];
  }
}

import path from 'node:path';
import {
  type DocumentNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import { InvalidRoutes, type Route, type RouteFinding } from './Route.ts';
import { findRouteFiles, readRouteText } from './readRouteText.ts';
import { readParameterOptions, readRouteDirectives, stripRouteDirectives } from './routeDirectives.ts';

/**
 * Reads every route document (`.graphql`) under a directory. Each file contains one operation; file, operation and root
 * field have the same name. Shared fragments are in `<name>.fragment.graphql` next to the documents. `checkRoutes`
 * checks everything that depends on the schema (types, result paths, guards).
 *
 * @param directory by default the product's `rest-facade`
 * @returns routes ordered by file, in the order of their directives
 * @throws InvalidRoutes with all findings of all files
 */
export function readRoutes(directory = path.join(import.meta.dirname, '../../rest-facade')): Route[] {
  const findings: RouteFinding[] = [];
  const routes: Route[] = [];
  for (const file of findRouteFiles(directory)) {
    try {
      routes.push(...parseRouteDocument(file, readRouteText(directory, file)));
    } catch (error) {
      findings.push({ file, message: messageOf(error) });
    }
  }
  findings.push(...findDuplicates(routes));
  if (findings.length > 0) throw new InvalidRoutes(findings);
  return routes;
}

/**
 * Parses one route document.
 *
 * @param file name with folders, as in `identity/listing/listing.graphql`; it is part of the contract and names the
 *   operation
 * @param text the document
 * @throws Error with one sentence that states the problem
 */
export function parseRouteDocument(file: string, text: string): Route[] {
  const document = parse(text, { noLocation: true });
  const operation = onlyOperation(document);
  const operationName = operation.name?.value ?? '';
  const fileName = path.posix.basename(file, '.graphql');
  if (operationName !== fileName) {
    throw new Error(`operation "${operationName}" must be named like its file, "${fileName}"`);
  }
  const fields = operation.selectionSet.selections;
  const [field] = fields;
  if (fields.length !== 1 || field?.kind !== Kind.FIELD || field.name.value !== operationName) {
    throw new Error(`the operation must select exactly the root field "${operationName}"`);
  }
  if (field.alias) throw new Error(`the root field must not have an alias`);
  const directives = readRouteDirectives(operation, file);
  if (directives.length === 0) throw new Error('the operation has no @route directive');
  const stripped = stripRouteDirectives(document);
  const parameterOptions = readParameterOptions(operation);
  return directives.map((directive) => ({
    ...directive,
    file,
    operationName,
    kind: operation.operation === OperationTypeNode.QUERY ? 'query' : 'mutation',
    document: stripped,
    parameterOptions,
  }));
}

function onlyOperation(document: DocumentNode): OperationDefinitionNode {
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    else if (definition.kind !== Kind.FRAGMENT_DEFINITION) {
      throw new Error('a route document holds one operation and its fragments, nothing else');
    }
  }
  const [operation] = operations;
  if (!operation || operations.length > 1) throw new Error('a route document holds exactly one operation');
  if (operation.operation === OperationTypeNode.SUBSCRIPTION)
    throw new Error('a subscription cannot be a route');
  return operation;
}

/** Finds duplicate patterns, in which the names of parameters do not matter. */
function findDuplicates(routes: readonly Route[]): RouteFinding[] {
  const methods = new Map<string, string>();
  const patterns = new Map<string, Route>();
  const findings: RouteFinding[] = [];
  for (const route of routes) {
    const { method, path: template, file } = route;
    const pattern = template.replace(/(?<=\/)\{\w+\}/g, '{}');
    const other = methods.get(`${method} ${pattern}`);
    if (other) findings.push({ file, message: `${method} ${template} is already stated by ${other}` });
    else methods.set(`${method} ${pattern}`, file);
    const first = patterns.get(pattern) ?? route;
    patterns.set(pattern, first);
    if (!other && first.path !== template) {
      findings.push({
        file,
        message: `"${template}" names its parameters otherwise than ${first.file} does`,
      });
    }
  }
  return findings;
}

function messageOf(error: unknown): string {
  if (error instanceof GraphQLError) return error.message;
  return error instanceof Error ? error.message : String(error);
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  buildSchema,
  type DirectiveNode,
  type DocumentNode,
  type GraphQLDirective,
  getArgumentValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';
import { type ErrorCode, isErrorCode } from '../errorCodes.ts';
import { interfaceOf, parametersOf } from './pathTemplate.ts';
import type { Method, ParameterOptions, Route } from './Route.ts';

/** Members of `@route`: a Route without the parts of its document. */
export type RouteStatement = Omit<Route, 'file' | 'operationName' | 'kind' | 'document' | 'parameterOptions'>;

const definitions = buildSchema(readFileSync(path.join(import.meta.dirname, 'route.graphql'), 'utf8'), {
  assumeValidSDL: true,
});
const routeDirective = definitions.getDirective('route') as GraphQLDirective;
const parameterDirective = definitions.getDirective('parameter') as GraphQLDirective;

/** Directives of route documents; no engine knows them. */
const routeDirectiveNames: ReadonlySet<string> = new Set(['route', 'parameter']);

/** Reads every `@route` of an operation. Throws an Error with the fault. */
export function readRouteDirectives(operation: OperationDefinitionNode, file: string): RouteStatement[] {
  return nodesOf(operation.directives, 'route').map((node) => {
    const values = valuesOf(routeDirective, node);
    const statement = toStatement(values, file);
    assertConsistent(statement, operation.operation);
    return statement;
  });
}

/** Reads `@parameter` of every variable that has one. */
export function readParameterOptions(operation: OperationDefinitionNode): Map<string, ParameterOptions> {
  const options = new Map<string, ParameterOptions>();
  for (const { variable, directives } of operation.variableDefinitions ?? []) {
    const [node] = nodesOf(directives, 'parameter');
    if (!node) continue;
    const values = valuesOf(parameterDirective, node);
    options.set(variable.name.value, {
      explode: Boolean(values.explode),
      ...textsOf(values, ['name', 'prefix', 'description', 'presenceOf', 'textOf', 'attributeOf']),
    });
  }
  return options;
}

/** Returns the document without `@route` and `@parameter`, which the engine does not support. */
export function stripRouteDirectives(document: DocumentNode): DocumentNode {
  return visit(document, {
    [Kind.DIRECTIVE]: (node: DirectiveNode) => (routeDirectiveNames.has(node.name.value) ? null : undefined),
  });
}

function nodesOf(directives: readonly DirectiveNode[] | undefined, name: string): DirectiveNode[] {
  return (directives ?? []).filter((directive) => directive.name.value === name);
}

function valuesOf(directive: GraphQLDirective, node: DirectiveNode): Record<string, unknown> {
  const known = new Set(directive.args.map((argument) => argument.name));
  for (const argument of node.arguments ?? []) {
    if (!known.has(argument.name.value)) {
      throw new Error(`@${directive.name} has no argument "${argument.name.value}"`);
    }
  }
  return getArgumentValues(directive, node);
}

function toStatement(values: Record<string, unknown>, file: string): RouteStatement {
  const template = String(values.path);
  const owner = interfaceOf(template);
  if (!owner) throw new Error(`path "${template}" belongs to no interface`);
  return {
    interface: owner,
    method: values.method as Method,
    path: template,
    pathParameters: parametersOf(template),
    status: values.status as number,
    otherwise: values.otherwise as number,
    list: Boolean(values.list),
    meta: texts(values.meta),
    within: Boolean(values.within),
    csv: Boolean(values.csv),
    formatParameter: Boolean(values.formatParameter),
    vary: texts(values.vary),
    overlay: texts(values.overlay).map((path) => path.split('.')),
    snakeCase: values.case === 'SNAKE',
    form: Boolean(values.form),
    basicClient: Boolean(values.basicClient),
    refreshCookie: texts(values.refreshCookie),
    omitNull: Boolean(values.omitNull),
    ignoreAuthorization: Boolean(values.ignoreAuthorization),
    partial: Boolean(values.partial),
    queryMembers: texts(values.query),
    errors: errorCodesOf(values.errors),
    tag: typeof values.tag === 'string' ? values.tag : tagOf(file),
    ...(typeof values.file === 'string'
      ? { fileBody: { field: values.file, types: texts(values.fileTypes) } }
      : {}),
    ...optionalPaths(values),
    ...textsOf(values, ['spread', 'location', 'cache', 'summary', 'deprecated', 'upload', 'stream']),
    ...(typeof values.example === 'string' ? { example: exampleOf(values.example) } : {}),
  };
}

function optionalPaths(
  values: Record<string, unknown>,
): Pick<RouteStatement, 'result' | 'created' | 'etag' | 'contentLanguage'> {
  const paths: { result?: string[]; created?: string[]; etag?: string[]; contentLanguage?: string[] } = {};
  for (const name of ['result', 'created', 'etag', 'contentLanguage'] as const) {
    const text = values[name];
    if (typeof text === 'string') paths[name] = text.split('.');
  }
  return paths;
}

/** Returns the stated members with these names. */
function textsOf<Name extends string>(
  values: Record<string, unknown>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const stated: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = values[name];
    if (typeof text === 'string') stated[name] = text;
  }
  return stated;
}

function assertConsistent(route: RouteStatement, operation: OperationTypeNode): void {
  // A query with a document as input is sent by POST, because it does not fit into a URL. It writes nothing.
  const methods =
    operation === OperationTypeNode.QUERY ? ['GET', 'POST'] : ['POST', 'PUT', 'PATCH', 'DELETE'];
  if (!methods.includes(route.method)) {
    throw new Error(`a ${operation} cannot answer ${route.method}`);
  }
  if (route.status === 204 ? route.result : !route.result) {
    throw new Error(route.status === 204 ? '204 has no body, so no "result"' : 'the route has no "result"');
  }
  if (route.status < 200 || route.status > 299) throw new Error(`${route.status} is not a success status`);
  if (route.etag && !route.result) throw new Error('"etag" needs a body');
  if (route.meta.length > 0 && !route.list) throw new Error('"meta" needs "list: true"');
  if (route.within && (!route.list || route.meta.length > 0)) {
    throw new Error('"within" needs "list: true" and no "meta"');
  }
  if (route.overlay.length > 0 && (route.spread || route.within)) {
    throw new Error('"overlay" excludes "spread" and "within"');
  }
  if (route.contentLanguage && route.list)
    throw new Error('"contentLanguage" is of one record, not of a list');
  if (route.spread && route.list) throw new Error('"spread" and "list" exclude each other');
  if (route.location && route.status !== 201 && route.status !== 202)
    throw new Error('"location" is sent with 201 and 202 only');
  if (route.upload && route.method !== 'POST') throw new Error('"upload" needs POST');
  if (route.form && route.method !== 'POST') throw new Error('"form" needs POST');
  if (route.fileBody && (route.fileBody.types.length === 0 || route.method !== 'POST')) {
    throw new Error('"file" needs POST and "fileTypes"');
  }
  if (route.queryMembers.length > 0 && (route.method === 'GET' || route.method === 'DELETE')) {
    throw new Error('"query" is for routes with a body; here every member is a query parameter already');
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function errorCodesOf(value: unknown): ErrorCode[] {
  return texts(value).map((code) => {
    if (!isErrorCode(code)) throw new Error(`"${code}" is not a registered error code`);
    return code;
  });
}

function exampleOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error('"example" is not JSON');
  }
}

/**
 * The subgraph whose documents have a tag for each resource. Documents of other subgraphs have its name as their only
 * tag.
 */
const taggedByResource = 'identity';

/** Returns the tag of a document, which is its top folder; deeper folders only group the documents. */
function tagOf(file: string): string {
  const [subgraph = '', resource] = path.posix.dirname(file).split('/');
  if (subgraph === '.') return 'general';
  return (subgraph === taggedByResource && resource) || subgraph;
}

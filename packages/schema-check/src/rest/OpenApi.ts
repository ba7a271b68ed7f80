import { type Json, membersOf, textsOf, toObject } from './Json.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** One method of one path. */
export interface Operation {
  /** Name as in `GET /api/v1/listings/{listingId}`. */
  readonly name: string;
  /** The name with parameters that have no name: what a client can tell apart. */
  readonly key: string;
  readonly body: Json;
  /** Parameters of path and operation, references resolved. */
  readonly parameters: readonly Json[];
  /** Schemes that suffice, each as text; empty means every caller. */
  readonly security: readonly string[];
  /** Root field that the route runs, if any. */
  readonly field: string | undefined;
}

/** An OpenAPI 3.1 document and its components. */
export interface OpenApi {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly document: Json;
}

/** Reads the operations of a document. Malformed parts count as absent, so that they are reported as removed. */
export function readOpenApi(document: Json): OpenApi {
  const operations = new Map<string, Operation>();
  for (const [path, item] of membersOf(document.paths)) {
    const shared = parametersIn(item, document);
    for (const method of methods) {
      const body = membersOf(item).get(method);
      if (body === undefined) continue;
      const operation = readOperation(document, `${method.toUpperCase()} ${path}`, toObject(body), shared);
      operations.set(operation.key, operation);
    }
  }
  return { operations, document };
}

function readOperation(document: Json, name: string, body: Json, shared: readonly Json[]): Operation {
  const own = parametersIn(body, document);
  const overridden = new Set(own.map(labelOf));
  const field = body['x-graphql-field'];
  return {
    name,
    key: name.replace(/\{[^}]*\}/g, '{}'),
    body,
    parameters: [...shared.filter((parameter) => !overridden.has(labelOf(parameter))), ...own],
    security: securityOf(body.security ?? document.security),
    field: typeof field === 'string' ? field : undefined,
  };
}

function parametersIn(holder: unknown, document: Json): Json[] {
  const { parameters } = toObject(holder);
  return Array.isArray(parameters) ? parameters.map((parameter) => resolve(parameter, document)) : [];
}

/** Returns location and name of a parameter, as in `query:limit`, which are unique in a route. */
export function labelOf(parameter: Json): string {
  return `${String(parameter.in)}:${String(parameter.name)}`;
}

function securityOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const schemes = value.map((alternative) =>
    [...membersOf(alternative)]
      .map(([scheme, scopes]) => [scheme, ...textsOf(scopes).sort()].join(' '))
      .sort()
      .join(' and '),
  );
  // An empty alternative makes all others optional.
  return schemes.includes('') ? [] : schemes;
}

/** Resolves a value: itself, or the target of its `$ref`. A dangling reference is an empty object. */
export function resolve(value: unknown, document: Json): Json {
  const visited = new Set<string>();
  let found = toObject(value);
  while (typeof found.$ref === 'string' && !visited.has(found.$ref)) {
    visited.add(found.$ref);
    found = toObject(lookUp(found.$ref, document));
  }
  return typeof found.$ref === 'string' ? {} : found;
}

function lookUp(ref: string, document: Json): unknown {
  if (!ref.startsWith('#/')) return undefined;
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (part, name) => membersOf(part).get(name.replaceAll('~1', '/').replaceAll('~0', '~')),
      document,
    );
}

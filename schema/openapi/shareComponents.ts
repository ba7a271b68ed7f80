import { createHash } from 'node:crypto';
import type { Components, JsonSchema } from './JsonSchema.ts';
import { refTo } from './JsonSchema.ts';
import type { Part } from './responsesOf.ts';

const mark = '~';

/**
 * Adds the schema of a response under a preliminary name from its type and content, so that equal schemas are shared;
 * `nameComponents` assigns the final names when all are known.
 *
 * @param type the GraphQL type whose members it selects
 */
export function shareSchema(schema: JsonSchema, type: string, components: Components): JsonSchema {
  const titled = { ...schema, title: type };
  const digest = createHash('sha256').update(JSON.stringify(titled)).digest('hex').slice(0, 16);
  const name = `${type}${mark}${digest}`;
  components[name] ??= titled;
  return refTo(name);
}

interface Variant {
  readonly name: string;
  readonly operations: readonly string[];
}

/**
 * Replaces the preliminary names by final ones. Of the schemas of one type, the one that most operations use has the
 * name of the type. Others have the name of the first operation as a suffix, as in `ListingInCatalogListings`, so that
 * names are stable when a route is added. Responses of several operations become components as well.
 *
 * @param paths path items with operations
 * @param schemas all schemas, including preliminary names
 */
export function nameComponents(
  paths: Record<string, Part>,
  schemas: Components,
): { paths: Record<string, Part>; schemas: Components; responses: Part } {
  const operations = operationsOf(paths);
  const responses = sharedResponses(operations);
  const names = new Map<string, string>();
  const taken = new Set(Object.keys(schemas).filter((name) => !name.includes(mark)));
  for (const variants of byType(schemas, usesOf(operations, schemas)).values()) {
    for (const [index, { name, operations: users }] of variants.entries()) {
      const [type = name] = name.split(mark);
      const wanted = index === 0 ? type : `${type}In${upperFirst(users[0] ?? '')}`;
      names.set(name, freeName(wanted, taken));
    }
  }
  const renamed = <Value>(value: Value): Value =>
    JSON.parse(
      JSON.stringify(value).replace(
        /"#\/components\/schemas\/([^"/]+)"/g,
        (_, name: string) => `"#/components/schemas/${names.get(name) ?? name}"`,
      ),
    );
  return {
    paths: renamed(paths),
    schemas: Object.fromEntries(
      Object.entries(renamed(schemas)).map(([name, schema]) => {
        const final = names.get(name);
        // Generators name classes by the title, so that it must be unique.
        return final === undefined ? [name, schema] : [final, { ...schema, title: final }];
      }),
    ),
    responses,
  };
}

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, Part>;
}

function operationsOf(paths: Record<string, Part>): Operation[] {
  return Object.keys(paths)
    .sort()
    .flatMap((path) => Object.values(paths[path] ?? {}) as Operation[]);
}

/** Returns the operations that use each name, directly or indirectly, in order. */
function usesOf(operations: readonly Operation[], schemas: Components): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  const look = (value: unknown, operation: string): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"/]+)"/g)) {
      const present = uses.get(name) ?? [];
      if (present.at(-1) === operation) continue;
      uses.set(name, [...present, operation]);
      look(schemas[name] ?? {}, operation);
    }
  };
  for (const operation of operations) look(operation, operation.operationId);
  return uses;
}

function byType(schemas: Components, uses: ReadonlyMap<string, readonly string[]>): Map<string, Variant[]> {
  const types = new Map<string, Variant[]>();
  for (const name of Object.keys(schemas).filter((candidate) => candidate.includes(mark))) {
    const [type = name] = name.split(mark);
    types.set(type, [...(types.get(type) ?? []), { name, operations: uses.get(name) ?? [] }]);
  }
  const first = ({ name, operations: [operation = ''] }: Variant) => `${operation} ${name}`;
  const order = (a: Variant, b: Variant) =>
    b.operations.length - a.operations.length || (first(a) < first(b) ? -1 : 1);
  for (const variants of types.values()) variants.sort(order);
  return types;
}

/** Moves responses that several operations share to components, and refers to them. */
function sharedResponses(operations: readonly Operation[]): Part {
  const uses = new Map<string, { status: string; operations: Operation[] }>();
  for (const operation of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!('x-codes' in response)) continue;
      const key = JSON.stringify(response);
      const present = uses.get(key) ?? { status, operations: [] };
      present.operations.push(operation);
      uses.set(key, present);
    }
  }
  const shared: Part = {};
  const taken = new Set<string>();
  const mostUsed = [...uses].sort(([, a], [, b]) => b.operations.length - a.operations.length);
  for (const [key, { status, operations: users }] of mostUsed) {
    const [first] = users;
    if (users.length < 2 || !first) continue;
    const plain = `Problem${status}`;
    const name = freeName(taken.has(plain) ? `${plain}In${upperFirst(first.operationId)}` : plain, taken);
    shared[name] = JSON.parse(key);
    for (const user of users) user.responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}${count}`;
  taken.add(name);
  return name;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

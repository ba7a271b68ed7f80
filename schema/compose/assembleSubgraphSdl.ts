import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type DefinitionNode,
  type DocumentNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type ObjectTypeExtensionNode,
  parse,
  print,
  visit,
} from 'graphql';
import { guardPrefix } from '../guards/guardDirectives.ts';

const projectRoot = path.join(import.meta.dirname, '../..');

/**
 * Identity of the product's directives in the supergraph. Its last name is the prefix of the directives (`guard__`). A
 * new version gets a new address, and an address never changes its meaning.
 */
const guardSpecUrl = 'https://specs.trigate.dev/guard/v2.1';

/** Specification of `@semanticNonNull`, which clients of other schemas import from the same address. */
const nullabilitySpecUrl = 'https://specs.apollo.dev/nullability/v0.4';

const federationDirectives = [
  '@key',
  '@shareable',
  '@external',
  '@requires',
  '@provides',
  '@inaccessible',
  '@override',
  '@composeDirective',
];

/**
 * Returns the SDL of one subgraph of the product: its resource folders' `schema.graphql`, the used shared scalars, the
 * guard directives, `@semanticNonNull`, and the federation header. Execution, composition and the committed
 * `schema/<name>.graphql` all use this function.
 *
 * @param name folder under `subgraphs/`
 * @throws Error that names the file if a document does not parse, or the folder if it contains none
 */
export function assembleSubgraphSdl(name: string): string {
  const folder = path.join(projectRoot, 'subgraphs', name);
  const files = globSync('**/schema.graphql', { cwd: folder }).sort(byResource);
  if (files.length === 0) throw new Error(`subgraphs/${name} holds no schema.graphql`);
  return assembleSdl(files.map((file) => ({ file: `subgraphs/${name}/${file}`, text: read(folder, file) })));
}

/**
 * Compares by the folder of the resource, so that the contract does not change when a resource moves to another domain.
 */
function byResource(a: string, b: string): number {
  const [first, second] = [a, b].map((file) => file.split('/').slice(-2).join('/')) as [string, string];
  return first < second ? -1 : Number(first > second);
}

/** Part of a subgraph's SDL and its file, for messages. */
export interface SdlPart {
  file: string;
  text: string;
}

/**
 * Assembles one subgraph's SDL from its parts. `type Query` and `extend type Query` of several parts (any object type)
 * become one definition. Shared scalars and types are added only if the parts use them, so that a subgraph does not
 * claim types that it never returns.
 */
export function assembleSdl(parts: readonly SdlPart[]): string {
  const own = mergeObjectTypes(parts.flatMap(parseDefinitions));
  const guards = parseDefinitions(shared('directives.graphql'));
  const nullability = parseDefinitions(shared('nullability.graphql'));
  const definitions = [
    ...guards,
    ...nullability,
    ...used(parseDefinitions(shared('scalars.graphql')), own),
    ...own,
  ];
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions };
  return `${header(guards)}\n\n${print(document)}\n`;
}

function header(guards: readonly DefinitionNode[]): string {
  const names = guards.flatMap((node) =>
    node.kind === Kind.DIRECTIVE_DEFINITION ? [`@${node.name.value}`] : [],
  );
  const imported = federationDirectives.map((name) => JSON.stringify(name)).join(', ');
  return [
    'extend schema',
    `  @link(url: "https://specs.apollo.dev/federation/v2.9", import: [${imported}])`,
    `  @link(url: "${guardSpecUrl}", import: [${names.map(importOf).join(', ')}])`,
    `  @link(url: "${nullabilitySpecUrl}", import: ["@semanticNonNull"])`,
    ...[...names, '@semanticNonNull'].map((name) => `  @composeDirective(name: "${name}")`),
  ].join('\n');
}

/** Imports a directive with its prefix. The prefix would be the default, but The Guild's composer needs the import. */
function importOf(name: string): string {
  return `{ name: "${name.replace(guardPrefix, '')}", as: "${name}" }`;
}

function shared(file: string): SdlPart {
  return { file: `schema/${file}`, text: read(path.join(projectRoot, 'schema'), file) };
}

function read(folder: string, file: string): string {
  return readFileSync(path.join(folder, file), 'utf8');
}

function parseDefinitions({ file, text }: SdlPart): DefinitionNode[] {
  try {
    return [...parse(text, { noLocation: true }).definitions];
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/**
 * Merges to one definition for each object type, in the order of first mention; an extension alone becomes a
 * definition.
 */
function mergeObjectTypes(definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const merged = new Map<string, ObjectTypeDefinitionNode>();
  const order: (DefinitionNode | string)[] = [];
  for (const node of definitions) {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.OBJECT_TYPE_EXTENSION) {
      order.push(node);
      continue;
    }
    const name = node.name.value;
    const present = merged.get(name);
    if (!present) order.push(name);
    merged.set(name, present ? join(present, node) : { ...node, kind: Kind.OBJECT_TYPE_DEFINITION });
  }
  return order.map((entry) =>
    typeof entry === 'string' ? (merged.get(entry) as ObjectTypeDefinitionNode) : entry,
  );
}

function join(
  present: ObjectTypeDefinitionNode,
  added: ObjectTypeDefinitionNode | ObjectTypeExtensionNode,
): ObjectTypeDefinitionNode {
  const description = present.description ?? ('description' in added ? added.description : undefined);
  return {
    ...present,
    ...(description ? { description } : {}),
    interfaces: [...(present.interfaces ?? []), ...(added.interfaces ?? [])],
    directives: [...(present.directives ?? []), ...(added.directives ?? [])],
    fields: [...(present.fields ?? []), ...(added.fields ?? [])],
  };
}

/** Returns the shared definitions that are reachable from the own ones, in the order of the shared file. */
function used(available: readonly DefinitionNode[], own: readonly DefinitionNode[]): DefinitionNode[] {
  const byName = new Map(
    available.flatMap((node) => ('name' in node && node.name ? [[node.name.value, node]] : [])),
  );
  const reached = new Set<string>();
  const pending: DefinitionNode[] = [...own];
  for (let node = pending.pop(); node; node = pending.pop()) {
    visit(node, {
      [Kind.NAMED_TYPE]: ({ name }) => {
        const found = byName.get(name.value);
        if (!found || reached.has(name.value)) return;
        reached.add(name.value);
        pending.push(found);
      },
    });
  }
  return available.filter((node) => 'name' in node && node.name && reached.has(node.name.value));
}

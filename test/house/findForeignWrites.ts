import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** A use of another domain's model that is not known to only read. */
export interface ForeignWrite {
  readonly file: string;
  readonly line: number;
  /** Name of the model, or path of a module that is imported as a whole. */
  readonly model: string;
}

/** A node of the syntax tree (ESTree). */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

/** Functions of the platform that take a model and only read records. The relay also empties outboxes, for the owner. */
const readers: ReadonlySet<string> = new Set(['reads', 'recordLoader', 'outboxSource', 'noteSource']);

const modelName = /^[A-Z]\w*Model$/;

const readMethods: ReadonlySet<unknown> = new Set(['find', 'findOne']);

/** The demonstration fills a new database with states that no operation creates, such as known passwords. */
const seeding = /^app\/demonstration\//;

/**
 * Finds every use of another domain's model that could write: only a domain writes its own collections. A use is allowed
 * only in a form that is known to read or to create indexes, so an alias or an unknown function is found as well.
 *
 * @param root folder that holds the product
 */
export function findForeignWrites(root: string): ForeignWrite[] {
  return globSync('{app,bin,subgraphs}/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !/\.(test|generated)\.ts$|\/fixture\//.test(file) && !seeding.test(file))
    .sort()
    .flatMap((file) => findWritesOf(file, root));
}

function findWritesOf(file: string, root: string): ForeignWrite[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  const { program, module } = parseSync(path.basename(file), source);
  const found = (start: number, model: string): ForeignWrite => ({
    file,
    line: source.slice(0, start).split('\n').length,
    model,
  });
  const models = new Map<string, string>();
  const platformNames = new Map<string, string>();
  const writes: ForeignWrite[] = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    const imported = resolve(file, moduleRequest.value);
    for (const { importName, localName, isType } of entries) {
      const name = importName.name ?? '';
      if (imported.startsWith('subgraphs/platform/')) platformNames.set(localName.value, name);
      if (isType || !isForeign(file, imported)) continue;
      if (modelName.test(name)) models.set(localName.value, name);
      if (importName.kind.startsWith('Namespace') && definesModels(root, imported))
        writes.push(found(moduleRequest.start, imported));
    }
  }
  const others = [
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap((entry) => (entry.moduleRequest && !entry.isType ? [entry.moduleRequest] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      start,
      value: source.slice(start + 1, end - 1),
    })),
  ];
  for (const { start, value } of others) {
    const imported = resolve(file, value);
    if (isForeign(file, imported) && definesModels(root, imported)) writes.push(found(start, imported));
  }
  if (models.size > 0)
    visit(program as unknown as Node, [], (name, node, ancestors) => {
      const model = models.get(name);
      if (model !== undefined && !isRead(node, ancestors, platformNames))
        writes.push(found(node.start, model));
    });
  return writes;
}

/** Calls back for every name that is used as a value. Types have no effect at run time. */
function visit(
  node: Node,
  ancestors: readonly Node[],
  onName: (name: string, node: Node, ancestors: readonly Node[]) => void,
): void {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportSpecifier') return;
  if (node.type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)Expression$/.test(node.type)) return;
  if (node.type === 'Identifier') onName(node.name as string, node, ancestors);
  for (const [member, value] of Object.entries(node)) {
    // The name of a member is not a use of a variable.
    if ((member === 'property' || member === 'key') && !node.computed) continue;
    for (const child of [value].flat()) if (isNode(child)) visit(child, [node, ...ancestors], onName);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function isRead(
  model: Node,
  [parent, grandparent]: readonly Node[],
  platformNames: ReadonlyMap<string, string>,
): boolean {
  /** Whether the node is an argument of a call of one of these functions of the platform. */
  const isPassedTo = (functions: ReadonlySet<string>, call: Node | undefined, argument: unknown): boolean => {
    if (call?.type !== 'CallExpression' || !(call.arguments as unknown[]).includes(argument)) return false;
    const { name } = call.callee as Node;
    return functions.has(platformNames.get(String(name)) ?? '');
  };
  switch (parent?.type) {
    case 'CallExpression':
      return isPassedTo(readers, parent, model);
    case 'MemberExpression':
      return parent.object === model && !parent.computed && readMethods.has((parent.property as Node).name);
    case 'ArrayExpression':
      // Models whose indexes are created: `syncIndexes([…])`, and `models: […]` of a resource.
      return (
        isPassedTo(new Set(['syncIndexes']), grandparent, parent) ||
        (grandparent?.type === 'Property' && (grandparent.key as Node).name === 'models')
      );
    default:
      return false;
  }
}

function resolve(file: string, specifier: string): string {
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier;
}

function isForeign(file: string, imported: string): boolean {
  return imported.startsWith('subgraphs/') && domainOf(imported) !== domainOf(file);
}

/** The platform is one domain, because its folders share collections. */
function domainOf(file: string): string {
  const folders = file.split('/');
  return folders.slice(0, folders[1] === 'platform' ? 2 : 3).join('/');
}

function definesModels(root: string, file: string): boolean {
  const target = path.join(root, file);
  // The path of a dynamic import can be computed, and then it is not the path of a file.
  return existsSync(target) && /\bdefine(?:Model|Heads)[<(]/.test(readFileSync(target, 'utf8'));
}

import { type DocumentNode, type FieldNode, Kind, visit } from 'graphql';

export interface RenamedDocument {
  readonly document: DocumentNode;
  /** Response name in `document` -> the client's own name, for the names that were changed. */
  readonly clientNames: ReadonlyMap<string, string>;
}

/**
 * Gives every dangerous response name a harmless one for the time of execution; the projection gives the
 * client's name back.
 *
 * Dangerous is an alias that is also the name of some field: `{ me { id: nickname orders { sum } } }`. The
 * planner stores the nickname under `id` before it reads `id` as the key of `me`, and the client would choose
 * which entity the next subgraph loads. Equally dangerous are names that start with an underscore (a forged
 * `__typename`, the planner's own aliases, `__proto__`) and names that every object inherits.
 */
export function renameRiskyAliases(document: DocumentNode, fieldNames: ReadonlySet<string>): RenamedDocument {
  const used = new Set<string>();
  const risky = new Set<string>();
  visit(document, {
    Field(node) {
      used.add(responseNameOf(node));
      if (isRisky(node, fieldNames)) risky.add(responseNameOf(node));
    },
  });
  if (risky.size === 0) return { document, clientNames: new Map() };

  let prefix = 'renamed';
  const isTaken = (name: string) => used.has(prefix + name) || fieldNames.has(prefix + name);
  while ([...risky].some(isTaken)) prefix = `x${prefix}`;
  const renamed = visit(document, {
    Field(node) {
      if (!isRisky(node, fieldNames)) return undefined;
      return { ...node, alias: { kind: Kind.NAME, value: prefix + responseNameOf(node) } };
    },
  });
  return { document: renamed, clientNames: new Map([...risky].map((name) => [prefix + name, name])) };
}

export function responseNameOf(node: FieldNode): string {
  return node.alias?.value ?? node.name.value;
}

function isRisky(node: FieldNode, fieldNames: ReadonlySet<string>): boolean {
  const name = responseNameOf(node);
  if (name in Object.prototype) return true;
  if (name === node.name.value) return false;
  return name.startsWith('_') || fieldNames.has(name);
}

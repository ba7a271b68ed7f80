import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Parent types that cannot be found by their name, by subgraph and GraphQL type: `folder/file.ts#TypeName`, relative
 * to the subgraph's folder.
 */
const explicitMappers: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

const parentDeclaration = /^export (?:interface|type) ((\w+?)(?:Record|Parent))\b/gm;

/**
 * Returns the parent types of resolvers. By convention, a type `Listing` is resolved from `ListingRecord` (stored) or
 * `ListingParent` (computed) if its subgraph exports one; every other type from its own fields.
 *
 * @returns mappers of the code generator: type -> `module#name`, relative to the subgraph's folder
 * @throws Error if two files export a parent for one type
 */
export function findMappers(
  projectRoot: string,
  subgraph: string,
  typeNames: ReadonlySet<string>,
): Record<string, string> {
  const folder = path.join(projectRoot, 'subgraphs', subgraph);
  const found = new Map<string, string>();
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !/\.(test|generated)\.ts$/.test(file));
  for (const file of files.sort()) {
    for (const [, name = '', typeName = ''] of readFileSync(path.join(folder, file), 'utf8').matchAll(
      parentDeclaration,
    )) {
      if (!typeNames.has(typeName)) continue;
      const claimed = found.get(typeName);
      if (claimed) throw new Error(`two parent types of ${typeName}: ${claimed} and ${file}#${name}`);
      found.set(typeName, `${file}#${name}`);
    }
  }
  const all = { ...Object.fromEntries(found), ...explicitMappers[subgraph] };
  return Object.fromEntries(
    Object.entries(all)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([typeName, target]) => [typeName, `./${target}`]),
  );
}

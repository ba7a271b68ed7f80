import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type DefinitionNode, type DocumentNode, GraphQLError, parse } from 'graphql';
import { defaultRestRoot, withRestRoot } from '../../route/pathTemplate.ts';
import type { Route } from '../../route/Route.ts';
import type { Change } from '../Change.ts';
import { routesFolder } from '../Contract.ts';
import { documentKinds } from '../kinds/documentKinds.ts';
import { restKinds } from '../kinds/restKinds.ts';

/** Where a person looks for the cause of a change: a file relative to the project, a line from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Coordinate -> the place in a subgraph where it is written. */
type Index = ReadonlyMap<string, Place>;

/**
 * Finds the source of a change: the SDL of the type or field in its subgraph, or the document of the route. What is gone
 * is shown where it was: at its type, or at the generated file.
 */
export function createLocator(directory: string, routes: readonly Route[]): (change: Change) => Place {
  const coordinates = indexCoordinates(directory);
  const documents = new Map(
    routes.map(({ method, path: template, file }) => [
      `${method} ${withRestRoot(template, defaultRestRoot)}`,
      { file: `${routesFolder}/${file}`, line: 1 },
    ]),
  );
  return ({ kind, path: subject }) => {
    const [first = '', second = ''] = subject.split(' ');
    if (Object.hasOwn(documentKinds, kind)) return { file: first, line: 1 };
    const route = documents.get(`${first} ${second}`);
    if (route) return route;
    const isRest = Object.hasOwn(restKinds, kind) || /^(?:request|response)-/.test(kind);
    const coordinate = first.startsWith('schemas/') ? coordinateOf(first, second) : first;
    return (
      coordinates.get(coordinate) ??
      coordinates.get(coordinate.replace(/\(.*$/, '')) ??
      coordinates.get(coordinate.replace(/\..*$/, '')) ?? {
        file: isRest ? 'schema/openapi.json' : 'schema/api.graphql',
        line: 1,
      }
    );
  };
}

/** Field behind a member of a named schema, which is called after its type and maybe an operation. */
function coordinateOf(schema: string, member: string): string {
  const [type = ''] = schema.replace('schemas/', '').split(/In[A-Z]/, 1);
  const [field = ''] = member.split(/[.[]/, 1);
  return `${type}.${field}`;
}

function indexCoordinates(directory: string): Index {
  const index = new Map<string, Place>();
  const files = globSync('subgraphs/*/**/schema.graphql', { cwd: directory }).sort();
  for (const name of files) {
    const file = name.replaceAll(path.sep, '/');
    const document = parseOrNull(readFileSync(path.join(directory, name), 'utf8'));
    for (const definition of document?.definitions ?? []) addDefinition(definition, file, index);
  }
  return index;
}

/** A file that cannot be parsed is reported elsewhere; here it only has no places. */
function parseOrNull(text: string): DocumentNode | null {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}

function addDefinition(definition: DefinitionNode, file: string, index: Map<string, Place>): void {
  if (!('name' in definition) || !definition.name) return;
  const type = definition.name.value;
  const add = (coordinate: string, line: number | undefined) => {
    if (!index.has(coordinate)) index.set(coordinate, { file, line: line ?? 1 });
  };
  add(type, definition.name.loc?.startToken.line);
  const fields = 'fields' in definition ? (definition.fields ?? []) : [];
  const values = 'values' in definition ? (definition.values ?? []) : [];
  for (const { name } of [...fields, ...values]) add(`${type}.${name.value}`, name.loc?.startToken.line);
}

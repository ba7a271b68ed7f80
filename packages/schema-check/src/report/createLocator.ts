import { type DefinitionNode, type DocumentNode, GraphQLError, parse } from 'graphql';
import type { Change } from '../Change.ts';
import type { SourceDocument } from '../Contract.ts';
import { documentKinds } from '../kinds/documentKinds.ts';
import { restKinds } from '../kinds/restKinds.ts';

/** Location of a change's cause: a file relative to the project, and a line from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Locations in subgraphs by coordinate. */
type Index = ReadonlyMap<string, Place>;

/** The files of a project that changes are located in. */
export interface ProjectFiles {
  /** SDL in which types and fields are written. */
  readonly sdl: readonly SourceDocument[];
  /** `<method> <path>` -> the file that declares the route. */
  readonly routes: ReadonlyMap<string, string>;
  /** File for changes without another location: removed routes and removed types. */
  readonly openApi: string;
  readonly api: string;
}

/**
 * Finds the source of a change: the SDL of the type or field, or the document of the route. What was removed is located
 * at its type, or at the public schema or the OpenAPI document.
 */
export function createLocator({ sdl, routes, openApi, api }: ProjectFiles): (change: Change) => Place {
  const coordinates = indexCoordinates(sdl);
  return ({ kind, path: subject, line = 1 }) => {
    const [first = '', second = ''] = subject.split(' ');
    if (Object.hasOwn(documentKinds, kind)) return { file: first, line };
    const route = routes.get(`${first} ${second}`);
    if (route !== undefined) return { file: route, line: 1 };
    const isRest = Object.hasOwn(restKinds, kind) || /^(?:request|response)-/.test(kind);
    const coordinate = first.startsWith('schemas/') ? coordinateOf(first, second) : first;
    return (
      coordinates.get(coordinate) ??
      coordinates.get(coordinate.replace(/\(.*$/, '')) ??
      coordinates.get(coordinate.replace(/\..*$/, '')) ?? { file: isRest ? openApi : api, line: 1 }
    );
  };
}

/** Returns the field of a named schema's member; the schema has the name of its type and optionally an operation. */
function coordinateOf(schema: string, member: string): string {
  const [type = ''] = schema.replace('schemas/', '').split(/In[A-Z]/, 1);
  const [field = ''] = member.split(/[.[]/, 1);
  return `${type}.${field}`;
}

function indexCoordinates(sources: readonly SourceDocument[]): Index {
  const index = new Map<string, Place>();
  for (const { file, text } of sources) {
    for (const definition of parseOrNull(text)?.definitions ?? []) addDefinition(definition, file, index);
  }
  return index;
}

/** Parses a file. A parse error is reported elsewhere; here such a file only has no locations. */
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

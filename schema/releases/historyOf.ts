import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { deprecatedIn, operationsOf, type ReleasedDeprecation } from './deprecatedIn.ts';
import type { Release } from './Release.ts';

/** Kind of a part of the contract. */
export type PartKind = 'type' | 'field' | 'argument' | 'input member' | 'enum value' | 'route' | 'parameter';

/** A part of the contract from its addition to its removal. A part that returns later has a second entry. */
export interface HistoryEntry {
  /** Schema coordinate, route, or route and parameter as in `GET /api/v1/listings ?limit`. */
  readonly name: string;
  readonly kind: PartKind;
  /** Name of the release; null if it is part of the first stored release. */
  readonly addedIn: string | null;
  readonly deprecatedIn: string | null;
  /** Days of the deprecation, as far as the contract states them. */
  readonly deprecation: ReleasedDeprecation | null;
  readonly removedIn: string | null;
}

/**
 * Returns the history of all types, fields, arguments, enum values, routes and parameters, in ascending order of their
 * names.
 *
 * @param releases in ascending order, the last one is the current contract
 */
export function historyOf(releases: readonly Release[]): HistoryEntry[] {
  const past: HistoryEntry[] = [];
  const present = new Map<string, HistoryEntry>();
  for (const [index, release] of releases.entries()) {
    const parts = partsOf(release);
    const deprecated = deprecatedIn(release);
    for (const [name, entry] of present)
      if (!parts.has(name)) {
        past.push({ ...entry, removedIn: release.name });
        present.delete(name);
      }
    for (const [name, kind] of parts) {
      const addedIn = index === 0 ? null : release.name;
      const known = present.get(name) ?? { ...unchanged, name, kind, addedIn };
      const deprecation = deprecated.get(name) ?? null;
      present.set(name, {
        ...known,
        deprecation,
        deprecatedIn: deprecation && (known.deprecatedIn ?? release.name),
      });
    }
  }
  return [...past, ...present.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

const unchanged = { deprecatedIn: null, deprecation: null, removedIn: null } as const;

function partsOf({ api, openApi }: Release): Map<string, PartKind> {
  const parts = schemaParts(api);
  for (const [name, operation] of operationsOf(openApi)) {
    parts.set(name, 'route');
    const { parameters = [] } = operation as { parameters?: { name?: string; in?: string }[] };
    for (const { name: parameter, in: place } of parameters)
      if (place === 'query' && parameter !== undefined) parts.set(`${name} ?${parameter}`, 'parameter');
  }
  return parts;
}

function schemaParts(api: string): Map<string, PartKind> {
  const parts = new Map<string, PartKind>();
  for (const type of Object.values(buildSchema(api, { assumeValidSDL: true }).getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    parts.set(type.name, 'type');
    if (isEnumType(type))
      for (const value of type.getValues()) parts.set(`${type.name}.${value.name}`, 'enum value');
    if (isInputObjectType(type))
      for (const member of Object.keys(type.getFields())) parts.set(`${type.name}.${member}`, 'input member');
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      parts.set(`${type.name}.${field.name}`, 'field');
      for (const { name } of field.args) parts.set(`${type.name}.${field.name}(${name}:)`, 'argument');
    }
  }
  return parts;
}

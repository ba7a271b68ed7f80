import type { BreakingChange, DangerousChange } from 'graphql';
import type { graphKinds } from '../kinds/graphKinds.ts';

/** A change as graphql-js describes it, with its kind and schema coordinate. */
export interface GraphqlChange {
  readonly kind: keyof typeof graphKinds;
  readonly path: string;
  readonly description: string;
}

type GraphqlType = `${BreakingChange['type'] | DangerousChange['type']}`;

/** A kind, the whole description as a pattern, and the coordinate built from its groups. */
type Reading = readonly [kind: keyof typeof graphKinds, description: RegExp, coordinate: string];

const readings: Readonly<Record<GraphqlType, Reading>> = {
  TYPE_REMOVED: ['type-removed', /^(?:Standard scalar )?(\w+) was removed\b.*$/, '$1'],
  TYPE_CHANGED_KIND: ['type-kind-changed', /^(\w+) changed from .*$/, '$1'],
  TYPE_REMOVED_FROM_UNION: ['union-member-removed', /^(\w+) was removed from union type (\w+)\.$/, '$2.$1'],
  VALUE_REMOVED_FROM_ENUM: ['enum-value-removed', /^(\w+) was removed from enum type (\w+)\.$/, '$2.$1'],
  REQUIRED_INPUT_FIELD_ADDED: [
    'required-input-field-added',
    /^A required field (\w+) on input type (\w+) was added\.$/,
    '$2.$1',
  ],
  IMPLEMENTED_INTERFACE_REMOVED: [
    'interface-removed',
    /^(\w+) no longer implements interface (\w+)\.$/,
    '$1 implements $2',
  ],
  FIELD_REMOVED: ['field-removed', /^(\w+\.\w+) was removed\.$/, '$1'],
  FIELD_CHANGED_KIND: ['field-type-changed', /^(\w+\.\w+) changed type from .*$/, '$1'],
  REQUIRED_ARG_ADDED: [
    'required-argument-added',
    /^A required arg (\w+) on (\w+\.\w+) was added\.$/,
    '$2($1:)',
  ],
  ARG_REMOVED: ['argument-removed', /^(\w+\.\w+) arg (\w+) was removed\.$/, '$1($2:)'],
  ARG_CHANGED_KIND: ['argument-type-changed', /^(\w+\.\w+) arg (\w+) has changed type from .*$/, '$1($2:)'],
  DIRECTIVE_REMOVED: ['directive-removed', /^(\w+) was removed\.$/, '@$1'],
  DIRECTIVE_ARG_REMOVED: ['directive-argument-removed', /^(\w+) was removed from (\w+)\.$/, '@$2($1:)'],
  REQUIRED_DIRECTIVE_ARG_ADDED: [
    'required-directive-argument-added',
    /^A required arg (\w+) on directive (\w+) was added\.$/,
    '@$2($1:)',
  ],
  DIRECTIVE_REPEATABLE_REMOVED: [
    'directive-repeatable-removed',
    /^Repeatable flag was removed from (\w+)\.$/,
    '@$1',
  ],
  DIRECTIVE_LOCATION_REMOVED: ['directive-location-removed', /^(\w+) was removed from (\w+)\.$/, '@$2 on $1'],
  VALUE_ADDED_TO_ENUM: ['enum-value-added', /^(\w+) was added to enum type (\w+)\.$/, '$2.$1'],
  TYPE_ADDED_TO_UNION: ['union-member-added', /^(\w+) was added to union type (\w+)\.$/, '$2.$1'],
  OPTIONAL_INPUT_FIELD_ADDED: [
    'optional-input-field-added',
    /^An optional field (\w+) on input type (\w+) was added\.$/,
    '$2.$1',
  ],
  OPTIONAL_ARG_ADDED: [
    'optional-argument-added',
    /^An optional arg (\w+) on (\w+\.\w+) was added\.$/,
    '$2($1:)',
  ],
  IMPLEMENTED_INTERFACE_ADDED: [
    'interface-added',
    /^(\w+) added to interfaces implemented by (\w+)\.$/,
    '$2 implements $1',
  ],
  ARG_DEFAULT_VALUE_CHANGE: ['argument-default-changed', /^(\w+\.\w+) arg (\w+) .*$/s, '$1($2:)'],
};

/**
 * Parses the coordinate from the description of a change of graphql-js.
 *
 * @throws Error if graphql 16 has no such description: a change without a stable path could not be accepted
 */
export function readGraphqlChange({ type, description }: BreakingChange | DangerousChange): GraphqlChange {
  const [kind, pattern, coordinate] = readings[type];
  if (!pattern.test(description)) throw new Error(`graphql describes ${type} in new words: ${description}`);
  return { kind, path: description.replace(pattern, coordinate), description };
}

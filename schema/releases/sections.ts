import type { ChangeKind } from '../../packages/schema-check/src/Change.ts';
import { guardKinds } from '../../packages/schema-check/src/kinds/guardKinds.ts';
import { restKinds } from '../../packages/schema-check/src/kinds/restKinds.ts';
import { schemaKinds } from '../../packages/schema-check/src/kinds/schemaKinds.ts';

/** Part of the notes in which a change is listed. */
export type Section = 'new' | 'changed' | 'removed';

/** Style whose clients see a change; guards and limits apply to both. */
export type Style = 'REST' | 'GraphQL' | 'Access and limits';

/** Kinds that are listed by name under a title. Other kinds are listed as a sentence for each change. */
export const namedKinds: Partial<Record<ChangeKind, string>> = {
  'route-added': 'Routes',
  'type-added': 'Types',
  'field-added': 'Fields',
  'optional-argument-added': 'Arguments',
  'optional-input-field-added': 'Members of inputs',
  'enum-value-added': 'Enum values',
  'union-member-added': 'Members of unions',
  'possible-type-added': 'Types of interfaces',
  'parameter-added': 'Parameters',
  'request-property-added': 'Members of requests',
  'response-property-added': 'Members of responses',
  'request-enum-widened': 'Values of requests',
  'response-enum-widened': 'Values of responses',
  'request-media-type-added': 'Media types of requests',
  'response-media-type-added': 'Media types of responses',
  'response-header-added': 'Headers of responses',
  'request-bound-stated': 'Limits that are documented for the first time',
};

/** Kinds that clients do not see, or that the list of deprecations contains. */
const omitted: ReadonlySet<ChangeKind> = new Set([
  'deprecation-added',
  'route-deprecated',
  'operation-id-changed',
  'error-status-added',
  'error-status-removed',
]);

/** Returns the section of a kind; null if it is not listed. */
export function sectionOf(kind: ChangeKind): Section | null {
  if (omitted.has(kind)) return null;
  if (Object.hasOwn(namedKinds, kind)) return kind === 'request-bound-stated' ? 'changed' : 'new';
  const isGuard = Object.hasOwn(guardKinds, kind);
  return kind.endsWith('-removed') && !isGuard && !kind.startsWith('deprecation') ? 'removed' : 'changed';
}

/** Returns the style whose clients see changes of a kind. */
export function styleOf(kind: ChangeKind): Style {
  if (Object.hasOwn(guardKinds, kind)) return 'Access and limits';
  return Object.hasOwn(restKinds, kind) || Object.hasOwn(schemaKinds, kind) ? 'REST' : 'GraphQL';
}

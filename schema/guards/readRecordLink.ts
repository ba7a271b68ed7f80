import type { GraphQLField } from 'graphql';
import { guardDirectives } from './guardDirectives.ts';

/**
 * Reads `@guard__record` of a field, in a subgraph's schema and in the supergraph alike. Returns the name of the member
 * with the id; null without the directive.
 */
export function readRecordLink(field: GraphQLField<unknown, unknown>): string | null {
  const directive = guardDirectives(field.astNode).find(({ name }) => name === 'record');
  return directive ? String(directive.values.id) : null;
}

import type { GraphQLField } from 'graphql';
import { guardDirectives } from './guardDirectives.ts';

/** Classes of budgets that executions are charged to; those of the enum `RateClass`. */
export const rateClasses = [
  'AUTH_TOKEN',
  'AUTH_REGISTER',
  'AUTH_RESET',
  'AUTH',
  'READ',
  'WRITE',
  'MESSAGE',
  'UPLOAD',
  'AI',
  'IMPORT',
  'MONEY',
  'REPORT',
  'EXPORT',
  'STREAM',
  'PUBLIC_READ',
  'PUBLIC_SEARCH',
  'WEBHOOK',
] as const;

/** Class of a budget. */
export type RateClass = (typeof rateClasses)[number];

/** Reads `@guard__rateClass` of a root field, in a subgraph's schema and in the supergraph alike; null without one. */
export function readRateClass(field: GraphQLField<unknown, unknown>): RateClass | null {
  const directive = guardDirectives(field.astNode).find(({ name }) => name === 'rateClass');
  return directive ? (directive.values.name as RateClass) : null;
}

/**
 * Returns whether an operation may contain only one field of the class, because each execution may be a guess at a
 * secret, or moves money.
 */
export function isExclusive(rateClass: RateClass): boolean {
  return rateClass.startsWith('AUTH_') || rateClass === 'MONEY' || rateClass === 'WEBHOOK';
}

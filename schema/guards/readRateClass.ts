import { type GraphQLField, valueFromASTUntyped } from 'graphql';

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

/** Reads `@rateClass` of a root field, in a subgraph's schema and in the supergraph alike; null without one. */
export function readRateClass(field: GraphQLField<unknown, unknown>): RateClass | null {
  const directive = field.astNode?.directives?.find((node) => node.name.value === 'rateClass');
  const name = directive?.arguments?.find((argument) => argument.name.value === 'name');
  return name ? (valueFromASTUntyped(name.value) as RateClass) : null;
}

/**
 * Returns whether an operation may contain only one field of the class, because each execution may be a guess at a
 * secret, or moves money.
 */
export function isExclusive(rateClass: RateClass): boolean {
  return rateClass.startsWith('AUTH_') || rateClass === 'MONEY' || rateClass === 'WEBHOOK';
}

import type { GraphQLInputField } from 'graphql';
import { guardDirectives } from './guardDirectives.ts';

/** Limits of an input member; for a list, `length` and `range` apply to its entries. */
export interface InputLimits {
  /** Maximum number of Unicode code points. */
  length?: number;
  range?: { min: number; max: number };
  maxItems?: number;
}

/** Reads `@guard__length`, `@guard__range` and `@guard__maxItems` of a member, in a subgraph's schema and in the supergraph alike. */
export function readInputLimits({ astNode }: GraphQLInputField): InputLimits {
  const limits: InputLimits = {};
  for (const { name, values } of guardDirectives(astNode)) {
    if (name === 'length') limits.length = Number(values.max);
    if (name === 'range') limits.range = { min: Number(values.min), max: Number(values.max) };
    if (name === 'maxItems') limits.maxItems = Number(values.count);
  }
  return limits;
}

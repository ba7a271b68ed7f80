import { type GraphQLInputField, valueFromASTUntyped } from 'graphql';

/** Limits of an input member; for a list, `length` and `range` apply to its entries. */
export interface InputLimits {
  /** Maximum number of Unicode code points. */
  length?: number;
  range?: { min: number; max: number };
  maxItems?: number;
}

/** Reads `@length`, `@range` and `@maxItems` of a member, in a subgraph's schema and in the supergraph alike. */
export function readInputLimits({ astNode }: GraphQLInputField): InputLimits {
  const limits: InputLimits = {};
  for (const { name, arguments: stated = [] } of astNode?.directives ?? []) {
    const values = Object.fromEntries(
      stated.map((argument) => [argument.name.value, Number(valueFromASTUntyped(argument.value))]),
    ) as { max: number; min: number; count: number };
    if (name.value === 'length') limits.length = values.max;
    if (name.value === 'range') limits.range = { min: values.min, max: values.max };
    if (name.value === 'maxItems') limits.maxItems = values.count;
  }
  return limits;
}

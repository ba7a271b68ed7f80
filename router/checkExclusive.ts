import type { GraphQLSchema, OperationTypeNode } from 'graphql';
import { isExclusive, readRateClass } from '../schema/guards/readRateClass.ts';

/**
 * Returns the error if an operation contains several fields of which only one is allowed. Otherwise a hundred password
 * guesses, or payments, would count as one request.
 *
 * @returns the error message, or null
 */
export function checkExclusive(
  supergraph: GraphQLSchema,
  operationType: OperationTypeNode,
  names: readonly string[],
): string | null {
  const fields = supergraph.getRootType(operationType)?.getFields();
  const exclusive = names.filter((name) => {
    const rateClass = fields?.[name] && readRateClass(fields[name]);
    return rateClass && isExclusive(rateClass);
  });
  if (exclusive.length <= 1) return null;
  const shown = [...new Set(exclusive)].map((name) => `"${name}"`).join(', ');
  return `An operation can contain only one field that signs in, resets or moves money, but this one has ${exclusive.length} (${shown}). Send each in a separate operation.`;
}

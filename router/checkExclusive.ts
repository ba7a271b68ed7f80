import type { GraphQLSchema, OperationTypeNode } from 'graphql';
import { isExclusive, readRateClass } from '../schema/guards/readRateClass.ts';

/**
 * Judges whether an operation holds more than one field that must stand alone: a hundred guesses at a password, or
 * payments, in one request would be one request to everything that counts requests.
 *
 * @returns the words of the refusal, or null
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

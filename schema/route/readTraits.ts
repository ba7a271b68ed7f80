import type { GraphQLField } from 'graphql';
import { guardDirectives } from '../guards/guardDirectives.ts';
import { type RateClass, readRateClass } from '../guards/readRateClass.ts';

/** Further directives of a root field. */
export interface FieldTraits {
  /** Class of the rate budget, as in `READ`. */
  rateClass?: RateClass;
  /** Present if the field honours `Idempotency-Key`. */
  idempotent?: { required: boolean };
  /** Largest request body in bytes if it differs from the default. */
  bodyBytes?: number;
}

/** Reads rate class, idempotency and body limit of a root field of the supergraph. */
export function readTraits(field: GraphQLField<unknown, unknown>): FieldTraits {
  const rateClass = readRateClass(field);
  const traits: FieldTraits = rateClass ? { rateClass } : {};
  for (const { name, values } of guardDirectives(field.astNode)) {
    if (name === 'idempotent') traits.idempotent = { required: values.required === true };
    if (name === 'limits' && typeof values.bodyBytes === 'number') traits.bodyBytes = values.bodyBytes;
  }
  return traits;
}

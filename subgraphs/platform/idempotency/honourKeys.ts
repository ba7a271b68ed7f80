import { defaultFieldResolver, type GraphQLField, type GraphQLSchema } from 'graphql';
import { readTraits } from '../../../schema/route/readTraits.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { once } from './once.ts';

/** Arguments of a mutation that concern its key. */
interface KeyedArguments {
  input: { idempotencyKey?: string | null };
}

/**
 * Runs every mutation that states `@guard__idempotent` through `once`. Its resolver reads the ids of created records from
 * `context.attempt`, and its result is stored under the key.
 *
 * @param byHand names of mutations that call `once` themselves: their fingerprint differs from the input, their
 *   result must not be stored, or each retry needs an authorization or a refresh
 * @throws Error for a name in `byHand` that is not a mutation with `@guard__idempotent`
 *
 * See `docs/adr/platform/0008-apply-idempotency-keys-by-the-directive.md`.
 */
export function honourKeys(schema: GraphQLSchema, byHand: readonly string[] = []): GraphQLSchema {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  const idempotent = fields.filter((field) => readTraits(field).idempotent);
  const unknown = byHand.filter((name) => !idempotent.some((field) => field.name === name));
  if (unknown.length > 0)
    throw new Error(
      `keysByHand names fields that are not mutations with @guard__idempotent: ${unknown.join(', ')}`,
    );
  for (const field of idempotent)
    if (!byHand.includes(field.name)) runOnce(field, readTraits(field).idempotent?.required === true);
  return schema;
}

function runOnce(field: GraphQLField<unknown, RequestContext, KeyedArguments>, isRequired: boolean): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (source, args, context, info) => {
    if (isRequired && (args.input.idempotencyKey ?? null) === null) throw keyRequired();
    return once(context, field.name, args.input, async (attempt) =>
      resolve(source, args, context.forAttempt(attempt), info),
    );
  };
}

/** Returns the error for a missing key. REST refuses a missing header before the operation is executed. */
function keyRequired(): AppError {
  return new AppError(
    'idempotency_key_required',
    'This operation needs an Idempotency-Key, so that a repetition has no second effect.',
  );
}

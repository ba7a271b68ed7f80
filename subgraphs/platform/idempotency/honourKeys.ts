import { defaultFieldResolver, type GraphQLField, type GraphQLSchema } from 'graphql';
import { readTraits } from '../../../schema/route/readTraits.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { once } from './once.ts';

/** A mutation's arguments, as far as its key is concerned. */
interface KeyedArguments {
  input: { idempotencyKey?: string | null };
}

/**
 * Runs every mutation that states `@idempotent` through `once`. Its resolver reads the ids of what it creates from
 * `context.attempt`, and what it returns is stored under the key.
 *
 * @param byHand names of mutations that call `once` themselves: their key covers something other than the input, or
 *   what they return must not be stored, or authorization or a refresh has to happen with every repetition
 * @throws Error for a name in `byHand` that is not a mutation with `@idempotent`
 *
 * See `docs/adr/platform/0008-apply-idempotency-keys-by-the-directive.md`.
 */
export function honourKeys(schema: GraphQLSchema, byHand: readonly string[] = []): GraphQLSchema {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  const idempotent = fields.filter((field) => readTraits(field).idempotent);
  const unknown = byHand.filter((name) => !idempotent.some((field) => field.name === name));
  if (unknown.length > 0)
    throw new Error(`keysByHand names fields that are not mutations with @idempotent: ${unknown.join(', ')}`);
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

/** REST refuses a missing header before the operation is executed. */
function keyRequired(): AppError {
  return new AppError(
    'idempotency_key_required',
    'This operation needs an Idempotency-Key, so that a repetition has no second effect.',
  );
}

import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { type Attempt, once } from './once.ts';

/**
 * As `once`, for what must not happen twice by accident: fields that are `@idempotent(required: true)`. REST refuses a
 * missing header before it comes here.
 *
 * @throws AppError `idempotency_key_required`, and what `once` throws
 */
export async function onceByKey<T>(
  context: RequestContext,
  operation: string,
  input: { idempotencyKey?: string | null | undefined },
  run: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  if (input.idempotencyKey === null || input.idempotencyKey === undefined)
    throw new AppError('idempotency_key_required', 'This must not happen twice by accident: send a key.');
  return once(context, operation, input, run);
}

import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { mediaHooks } from '../mediaHooks.ts';
import type { MediaRecord } from '../model.ts';

/**
 * Removes a file from every record that refers to it, in the transaction that deletes the file.
 *
 * @throws AppError `media_in_use` if a record keeps its files, `legal_hold`
 */
export async function detach(
  context: RequestContext,
  { _id, usage }: MediaRecord,
  session: ClientSession,
): Promise<void> {
  const { users } = mediaHooks.bound;
  for (const { type, id } of usage) {
    const user = users[type];
    if (!user.detach)
      throw new AppError('media_in_use', `This file is part of a ${type} and cannot be detached.`);
    await user.detach(context, _id, id, session);
  }
}

/** Returns the 409 for a file under a legal hold or in an open case. */
export function legalHold(): AppError {
  return new AppError('legal_hold', 'This file is evidence and cannot be deleted.');
}

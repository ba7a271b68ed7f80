import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidField } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { normalizeEmail } from '../user/emailAddress.ts';
import { type AccountRequestKind, AccountRequestModel } from './model.ts';

/** Name of the job that finds out what requests come to. */
export const accountRequestsJob = 'identity.account-requests';

/**
 * Writes down what a stranger asks for. Nothing is looked up: the answer, its time and what it costs the database are
 * the same for every address.
 *
 * @throws AppError `validation_failed` for what is no address
 */
export async function requestForAddress(
  { installationId, platform }: RequestContext,
  {
    kind,
    email,
    sealedAccount = null,
  }: { kind: AccountRequestKind; email: string; sealedAccount?: string | null },
): Promise<void> {
  const emailNormalized = normalizeEmail(email.trim());
  if (emailNormalized === null)
    throw invalidField('#/email', 'An email address must have the form name@example.com.');
  await scoped(AccountRequestModel, installationId).insertAbsent([
    {
      _id: requestId(installationId, kind, emailNormalized),
      kind,
      emailNormalized,
      sealedAccount,
      createdAt: new Date(platform.now()),
    },
  ]);
  platform.signals.send(accountRequestsJob);
}

/** Id of a request; seals of its account belong to it. */
export function requestId(installationId: string, kind: AccountRequestKind, emailNormalized: string): string {
  return createHash('sha256')
    .update(JSON.stringify([installationId, kind, emailNormalized]))
    .digest('base64url');
}

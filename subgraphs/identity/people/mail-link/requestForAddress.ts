import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidField } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { normalizeEmail } from '../user/emailAddress.ts';
import { type AccountRequestKind, AccountRequestModel } from './model.ts';

/** Name of the job that processes the requests. */
export const accountRequestsJob = 'identity.account-requests';

/**
 * Stores the request of an anonymous caller. No account is looked up, so response, duration and database cost are the
 * same for every address.
 *
 * @throws AppError `validation_failed` for an invalid address
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

/** Returns the id of a request, to which the encryption of its data is bound. */
export function requestId(installationId: string, kind: AccountRequestKind, emailNormalized: string): string {
  return createHash('sha256')
    .update(JSON.stringify([installationId, kind, emailNormalized]))
    .digest('base64url');
}

import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { open } from '../../../platform/secrets/seal.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { mailEmailVerification } from '../email-verification/mailEmailVerification.ts';
import type { AccountRequestRecord } from '../mail-link/model.ts';
import { createUser, type NewUser } from '../user/createUser.ts';
import { UserModel } from '../user/model.ts';

/**
 * Creates a requested account if the existence of accounts is confidential. If the account exists, its owner only gets
 * a mail.
 *
 * @param take removes the request in a transaction; returns false if another process did
 */
export async function createRequestedAccount(
  place: { installation: Installation; installationId: string; platform: Platform },
  { _id, emailNormalized, sealedAccount }: AccountRequestRecord,
  take: (session: ClientSession) => Promise<boolean>,
): Promise<void> {
  const { installation, installationId, platform } = place;
  const opened = open(platform.secrets.derive('registration'), sealedAccount ?? '', _id);
  // Encrypted with a former root secret: the user has to repeat the request.
  if (!opened) return inTransaction(async (session) => void (await take(session)));
  const account = JSON.parse(opened.toString()) as NewUser;
  try {
    await inTransaction(async (session) => {
      if (!(await take(session))) return;
      const user = await createUser(installation, account, platform, { session });
      await mailEmailVerification(place, user, { session });
    });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'email_taken')) throw error;
    await inTransaction(async (session) => {
      if (!(await take(session))) return;
      const owner = await scoped(UserModel, installationId).findOne({ emailNormalized }, { session });
      if (!owner) return;
      const { email: to, locale, displayName } = owner;
      await queueMail(place, { to, locale, template: 'accountExists', data: { displayName } }, { session });
    });
  }
}

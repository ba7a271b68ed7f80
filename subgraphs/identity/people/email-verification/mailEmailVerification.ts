import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { issueMailLink } from '../mail-link/mailLinks.ts';
import type { UserRecord } from '../user/model.ts';

/** Sends the link that confirms an account's address, unless it is already confirmed. */
export async function mailEmailVerification(
  place: { installationId: string; platform: Pick<Platform, 'secrets' | 'now' | 'signals'> },
  user: UserRecord,
  options: { session: ClientSession },
): Promise<void> {
  if (user.emailVerified) return;
  const { email: to, locale, displayName } = user;
  const { token, expiresAt } = await issueMailLink(place, user, { purpose: 'verify_email' }, options);
  const mail = { to, locale, template: 'verifyEmail', data: { displayName, token } } as const;
  await queueMail(place, { ...mail, usefulUntil: expiresAt }, options);
}

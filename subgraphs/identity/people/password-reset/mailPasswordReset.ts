import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { issueMailLink } from '../mail-link/mailLinks.ts';
import type { UserRecord } from '../user/model.ts';

/** Sends the link that sets a new password, also to an account without one. */
export async function mailPasswordReset(
  place: { installationId: string; platform: Pick<Platform, 'secrets' | 'now' | 'signals'> },
  user: UserRecord,
  options: { session: ClientSession },
): Promise<void> {
  const { email: to, locale, displayName } = user;
  const { token, expiresAt } = await issueMailLink(place, user, { purpose: 'reset_password' }, options);
  const mail = { to, locale, template: 'resetPassword', data: { displayName, token } } as const;
  await queueMail(place, { ...mail, usefulUntil: expiresAt }, options);
}

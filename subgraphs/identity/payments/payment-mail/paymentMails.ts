import { consume } from '../../../platform/events/consume.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import type { JobRun } from '../../../platform/jobs/Job.ts';
import type { MailTemplate } from '../../mail/MailTemplate.ts';
import type { Mail } from '../../mail/queueMail.ts';
import { queueMailsOnce } from '../../mail/queueMail.ts';
import { defaultPreferences } from '../../people/user/createUser.ts';
import { UserModel, type UserRecord } from '../../people/user/model.ts';
import { findMoneyRecords } from './findMoneyRecords.ts';
import { type Letter, lettersOf } from './lettersOf.ts';
import type { MoneyEvent } from './MoneyEvent.ts';

/**
 * Sends mails about payments, refunds, disputes and payouts. The mails are derived from the events, which are written
 * with their change. The id of a mail is derived from the event and the recipient, so a repetition sends nothing twice.
 */
export const paymentMails = consume<MoneyEvent>({
  name: 'identity.payment-mails',
  types: [
    'payment.authorized',
    'payment.expiring',
    'payment.succeeded',
    'payment.failed',
    'payment.canceled',
    'payment.charged_back',
    'payment.chargeback_returned',
    'refund.succeeded',
    'dispute.opened',
    'dispute.decided',
    'dispute.withdrawn',
    'payout.sent',
    'payout.failed',
  ],
  async handle(events, run) {
    for (const [installationId, own] of Map.groupBy(events, (event) => event.installationId))
      await mail(installationId, own, run);
  },
});

async function mail(
  installationId: string,
  events: readonly MoneyEvent[],
  { platform }: JobRun,
): Promise<void> {
  const records = await findMoneyRecords(installationId, events);
  const letters = events.flatMap((event) => lettersOf(event, records).map((letter) => ({ event, letter })));
  const readers = new Set(letters.flatMap(({ letter }) => letter.readers));
  if (readers.size === 0) return;
  const users = await reads(UserModel, installationId).find({ _id: { $in: [...readers] } });
  const wanting = new Map(users.filter(wantsMail).map((user) => [user._id, user]));
  const mails = letters.flatMap(({ event, letter }) =>
    [...new Set(letter.readers)].flatMap((id) => {
      const user = wanting.get(id);
      return user ? [{ ...toMail(letter, user), key: `${event.id} ${letter.template} ${id}` }] : [];
    }),
  );
  await queueMailsOnce({ installationId, platform }, mails);
}

function toMail(
  { template, data }: Letter,
  { email: to, locale, displayName }: UserRecord,
): Mail<MailTemplate> {
  return { to, locale, template, data: { displayName, ...data } };
}

function wantsMail({ state, emailVerified, notificationPreferences }: UserRecord): boolean {
  const { payment } = { ...defaultPreferences, ...notificationPreferences };
  return state === 'active' && emailVerified && payment.email;
}

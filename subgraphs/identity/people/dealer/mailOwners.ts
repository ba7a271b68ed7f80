import type { ClientSession } from 'mongoose';
import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import type { MailTemplate, MailTemplates } from '../../mail/MailTemplate.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { findOwners } from './findOwners.ts';
import type { DealerRecord } from './model.ts';

/** Mails every owner of a dealer, each in the owner's language, in the transaction of the change. */
export async function mailOwners<T extends MailTemplate>(
  context: InstallationContext,
  dealer: DealerRecord,
  mail: { template: T; data: MailTemplates[T] },
  session: ClientSession,
): Promise<void> {
  for (const { email: to, locale } of await findOwners(context, dealer, { session }))
    await queueMail(context, { to, locale, ...mail }, { session });
}

import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { MailTemplate, MailTemplates } from '../mail/MailTemplate.ts';
import { queueMail } from '../mail/queueMail.ts';
import { UserModel } from '../user/model.ts';
import type { DealerRecord } from './model.ts';

/** Tells every owner of a dealer, each in his language, with the change that the mail is about. */
export async function mailOwners<T extends MailTemplate>(
  context: RequestContext,
  { members }: DealerRecord,
  mail: { template: T; data: MailTemplates[T] },
  session: ClientSession,
): Promise<void> {
  const ids = members.filter(({ role }) => role === 'owner').map(({ userId }) => userId);
  const owners = await scoped(UserModel, context.installationId).find(
    { _id: { $in: ids }, state: { $ne: 'deleted' } },
    { projection: { email: 1, locale: 1 }, sort: { _id: 1 }, session },
  );
  for (const { email: to, locale } of owners) await queueMail(context, { to, locale, ...mail }, { session });
}

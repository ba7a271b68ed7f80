import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import type { MailTemplate, MailTemplates } from '../../mail/MailTemplate.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { mailOwners } from '../../people/dealer/mailOwners.ts';
import type { DealerRecord } from '../../people/dealer/model.ts';
import { UserModel } from '../../people/user/model.ts';
import type { ListingRecord } from '../listing/record/model.ts';

/** Mails the owner of a listing, or every owner of its dealer, in the transaction of the change. */
export async function mailListingOwner<T extends MailTemplate>(
  context: RequestContext,
  {
    listing,
    dealer,
    ...mail
  }: { listing: ListingRecord; dealer: DealerRecord | null; template: T; data: MailTemplates[T] },
  session: ClientSession,
): Promise<void> {
  if (dealer) return mailOwners(context, dealer, mail, session);
  const users = reads(UserModel, context.installationId);
  const owner = await users.findOne({ _id: listing.owner.id, state: { $ne: 'deleted' } }, { session });
  if (owner) await queueMail(context, { to: owner.email, locale: owner.locale, ...mail }, { session });
}

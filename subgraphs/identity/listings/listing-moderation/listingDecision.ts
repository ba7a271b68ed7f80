import type { ClientSession } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidField, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { Act } from '../../../platform/mongo/performAct.ts';
import { findMarkdownFault } from '../../kernel/markdown/findMarkdownFault.ts';
import type { MailTemplate, MailTemplates } from '../../mail/MailTemplate.ts';
import { ensureSellerLock, lockSeller } from '../../people/seller-standing/sellerStanding.ts';
import { type ListingChanges, saveListing } from '../listing/lifecycle/saveListing.ts';
import { asOfNow } from '../listing/record/asOfNow.ts';
import { findOwningDealer } from '../listing/record/findOwningDealer.ts';
import { ListingModel, type ListingRecord } from '../listing/record/model.ts';
import { listingLoader } from '../listing/record/policy.ts';
import { mailListingOwner } from './mailListingOwner.ts';

/** Decision of a moderator about a listing. */
interface Decision<T extends MailTemplate> {
  /** Name of the root field, for the audit. */
  action: string;
  listingId: string;
  /** Revision that the moderator has seen. */
  revision: number;
  expectedVersion?: number | null | undefined;
  /** Statement of the decision, for the audit event. */
  reason: string | null;
  /** Refusals that depend on the caller, such as four eyes. @throws AppError */
  authorize?(before: ListingRecord): void;
  /**
   * Validates the statement.
   *
   * @throws AppError
   */
  assertMeaning(): void;
  /**
   * Returns the new state of the listing.
   *
   * @throws AppError `invalid_transition`
   */
  change(before: ListingRecord): ListingChanges;
  /** Returns the mail to its owner. */
  mail(after: ListingRecord): { template: T; data: MailTemplates[T] };
}

/**
 * Returns a decision about a listing: its record, its public copy, the audit event and the mail to its owner, in one
 * transaction. It conflicts with a concurrent bar of its owner on the owner's record. Errors take precedence in the
 * order 404, 403, 422, 412, 409.
 */
export function listingDecision<T extends MailTemplate>(
  context: RequestContext,
  decision: Decision<T>,
): Act<ListingRecord> {
  let ownerId = '';
  return {
    async prepare() {
      const listing = await context.loader(listingLoader).load(decision.listingId);
      if (!listing) throw notFound('The listing');
      decision.authorize?.(listing);
      decision.assertMeaning();
      ownerId = listing.owner.id;
      await ensureSellerLock(context, ownerId);
    },
    async within(session) {
      await lockSeller(context, ownerId, session);
      return decide(context, decision, session);
    },
    settle: async () => undefined,
  };
}

async function decide<T extends MailTemplate>(
  context: RequestContext,
  { action, listingId, reason, mail, ...decision }: Decision<T>,
  session: ClientSession,
): Promise<ListingRecord> {
  const before = await scoped(ListingModel, context.installationId).findOne({ _id: listingId }, { session });
  if (!before) throw notFound('The listing');
  decision.authorize?.(before);
  decision.assertMeaning();
  assertVersion(before.version, decision.expectedVersion);
  assertRevision(before, decision.revision);
  const dealer = await findOwningDealer(before, session);
  const now = asOfNow(before, context.platform.now());
  // Pending changes of jobs are written with the decision.
  const changes = { state: now.state, reservation: now.reservation, ...decision.change(now) };
  const listing = await saveListing(context, before, changes, { session, dealer });
  const target = { type: 'listing', id: listingId };
  await recordAudit(context, { action, reason, target }, { session });
  await mailListingOwner(context, { listing, dealer, ...mail(listing) }, session);
  return listing;
}

function assertRevision(listing: ListingRecord, seen: number): void {
  if (listing.revision === seen) return;
  throw new AppError(
    'revision_changed',
    `The owner has changed the listing. Review revision ${listing.revision} and decide again.`,
  );
}

const longestText = 2000;

/**
 * Validates a text.
 *
 * @throws AppError `validation_failed` if it is too long or contains invisible characters
 */
export function assertText(text: string | null, pointer: string): void {
  const fault = text === null ? null : findMarkdownFault(text, longestText);
  if (fault) throw invalidField(pointer, fault);
}

import type { ClientSession } from 'mongoose';
import type { EventType } from '../../../../../schema/events.ts';
import { recordAudit } from '../../../../platform/audit/recordAudit.ts';
import { assertVersion } from '../../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { notFound } from '../../../../platform/errors/AppError.ts';
import { announce } from '../../../../platform/events/outbox.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { type Act, performAct } from '../../../../platform/mongo/performAct.ts';
import type { MailTemplate, MailTemplates } from '../../../mail/MailTemplate.ts';
import { peopleHooks } from '../../hooks/peopleHooks.ts';
import { changeStanding, ensureSellerLock } from '../../seller-standing/sellerStanding.ts';
import { mailOwners } from '../mailOwners.ts';
import { DealerModel, type DealerRecord } from '../model.ts';
import { dealerLoader } from '../policy.ts';
import type { DealerState } from '../states.ts';
import { forgetMembers } from './forgetMembers.ts';

/** A decision about a dealer. */
interface Decision<T extends MailTemplate> {
  /** Name of the root field, for the audit. */
  action: string;
  dealerId: string;
  expectedVersion?: number | null | undefined;
  /** Statement of the decision, for the audit event. */
  reason?: string | null;
  /** Refusals that depend on the caller, such as four eyes. @throws AppError */
  authorize?(before: DealerRecord): void;
  /**
   * Validates the statement.
   *
   * @throws AppError
   */
  assertMeaning?(before: DealerRecord): void | Promise<void>;
  /**
   * Returns the new state of the dealer.
   *
   * @throws AppError `invalid_transition` and other conflicts
   */
  change(before: DealerRecord, session: ClientSession): Changes | Promise<Changes>;
  /** Whether its listings are hidden from the public after the decision; unchanged if omitted. */
  withdrawn?: boolean;
  /** The mail to the owners. */
  mail?: { template: T; data: (dealer: DealerRecord) => MailTemplates[T] };
}

/** Members of the record after the decision. */
type Changes = Partial<
  Pick<DealerRecord, 'state' | 'stateReason' | 'verification' | 'approval' | 'queuedAt'>
>;

/**
 * A decision about a dealer: its record, the visibility of its listings, the audit event and the mail to its owners.
 * Errors take precedence in the order 404, 403, 422, 412, 409.
 */
export function dealerDecision<T extends MailTemplate>(
  context: RequestContext,
  decision: Decision<T>,
): Act<DealerRecord> {
  const { dealerId, withdrawn } = decision;
  return {
    async prepare() {
      if (!(await context.loader(dealerLoader).load(dealerId))) throw notFound('The dealer');
      if (withdrawn !== undefined) await ensureSellerLock(context, dealerId);
    },
    within: (session) => decide(context, decision, session),
    async settle(dealer) {
      if (withdrawn !== undefined) await peopleHooks.bound.ownerChanged(context, dealerId);
      forgetMembers(context, dealer);
    },
  };
}

/**
 * Applies a decision about a dealer in one transaction. Of concurrent decisions, one succeeds.
 *
 * @throws AppError `not_found`, `precondition_failed`, and the errors of the decision
 */
export function decideDealer<T extends MailTemplate>(
  context: RequestContext,
  decision: Decision<T>,
): Promise<DealerRecord> {
  return performAct(dealerDecision(context, decision));
}

async function decide<T extends MailTemplate>(
  context: RequestContext,
  { action, dealerId, reason = null, mail, withdrawn, ...decision }: Decision<T>,
  session: ClientSession,
): Promise<DealerRecord> {
  const dealers = scoped(DealerModel, context.installationId);
  const before = await dealers.findOne({ _id: dealerId }, { session });
  if (!before) throw notFound('The dealer');
  decision.authorize?.(before);
  await decision.assertMeaning?.(before);
  assertVersion(before.version, decision.expectedVersion);
  const updatedAt = new Date(context.platform.now());
  const changes = await decision.change(before, session);
  const type = toEventType(before.state, changes.state);
  const dealer = await dealers.findOneAndUpdate(
    { _id: dealerId },
    {
      $set: { ...changes, updatedAt },
      $inc: { version: 1 },
      ...(type && { $push: announce(context, type) }),
    },
    { session },
  );
  if (!dealer) throw notFound('The dealer');
  if (withdrawn !== undefined) await changeStanding(context, dealerId, session, withdrawn);
  await recordAudit(context, { action, reason, target: { type: 'dealer', id: dealerId } }, { session });
  if (mail) await mailOwners(context, dealer, { template: mail.template, data: mail.data(dealer) }, session);
  return dealer;
}

/**
 * Returns the type of the event for other subgraphs. Documents, and approvals without a change of state, are not
 * published.
 */
function toEventType(before: DealerState, after: DealerState = before): EventType | null {
  if (before === after) return null;
  if (after === 'active') return 'object.published';
  return before === 'active' ? 'object.unpublished' : 'object.updated';
}

import type { FieldProblem } from '../../../../../schema/Problem.ts';
import { ownershipRequired } from '../../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { AppError, invalidField, invalidFields, problem } from '../../../../platform/errors/AppError.ts';
import type { CreatePaymentInput } from '../../../identity.generated.ts';
import { asOfNow } from '../../../listings/listing/record/asOfNow.ts';
import { mayRead } from '../../../listings/listing/record/isShown.ts';
import type { ListingRecord } from '../../../listings/listing/record/model.ts';
import { listingLoader, ownsListing } from '../../../listings/listing/record/policy.ts';
import type { DealerRecord } from '../../../people/dealer/model.ts';
import { dealerLoader } from '../../../people/dealer/policy.ts';
import { checkAmount } from '../../payment-provider/checkAmount.ts';
import { providerOf } from '../../payment-provider/providerOf.ts';
import { isFreeFor } from './isFreeFor.ts';
import { isPromotable } from './isPromotable.ts';
import { type Price, priceOf, type Wanted } from './priceOf.ts';

/** An order that may be carried out. */
export interface CheckedOrder extends Wanted, Price {
  listing: ListingRecord;
  /** Dealer who is paid; null for the installation. */
  dealer: DealerRecord | null;
  captureMethod: 'automatic' | 'manual';
}

/**
 * Checks whether the caller may currently make this payment.
 *
 * @throws AppError `email_unverified`, `own_listing`, `ownership_required`, `payee_not_payable`,
 *   `listing_not_available`, `concurrent_update`, `amount_changed`, `validation_failed`
 */
export async function checkOrder(input: CreatePaymentInput, context: RequestContext): Promise<CheckedOrder> {
  if (!context.viewer.principal.emailVerified)
    throw new AppError('email_unverified', 'Your email address is not confirmed. Confirm it first.');
  const purpose = input.purpose;
  const captureMethod = input.captureMethod ?? 'automatic';
  const promotion = input.promotion ?? null;
  const problems = findProblems({ purpose, promotion, captureMethod });
  const listing = await context.loader(listingLoader).load(input.listingId);
  if (!listing || !(await mayRead(listing, context)))
    problems.push(problem('#/listingId', 'This listing does not exist.'));
  if (!listing || problems.length > 0) throw invalidFields(problems);
  const dealer =
    purpose === 'promotion'
      ? assertPromotable(listing, context)
      : await assertPayable(listing, purpose, context);
  const price = await priceOf({ purpose, promotion }, listing, context);
  if (!price) throw invalidField('#/listingId', 'There is nothing to pay for this listing.');
  const { amount } = price;
  const provider = providerOf(context.platform, context.installation);
  const unmovable = [...checkAmount(provider, amount, '#/listingId')];
  if (unmovable.length > 0) throw invalidFields(unmovable);
  const { amount: confirmed } = input;
  if (confirmed && (confirmed.amount !== amount.amount || confirmed.currency !== amount.currency))
    throw new AppError('amount_changed', 'The amount has changed. Show the new amount and confirm again.', {
      amount,
    });
  return { purpose, promotion, captureMethod, listing, dealer, ...price };
}

function findProblems({
  purpose,
  promotion,
  captureMethod,
}: Pick<CheckedOrder, keyof Wanted | 'captureMethod'>) {
  const problems: FieldProblem[] = [];
  if (purpose === 'promotion' && promotion === null)
    problems.push(problem('#/promotion', 'A promotion payment needs "promotion": featured or top.'));
  if (purpose !== 'promotion' && promotion !== null)
    problems.push(
      problem('#/promotion', '"promotion" is only allowed for payments with the purpose promotion.'),
    );
  if (purpose === 'promotion' && captureMethod === 'manual')
    problems.push(
      problem('#/captureMethod', 'A promotion is always captured automatically. Omit the capture method.'),
    );
  return problems;
}

/** Checks that the user may promote the listing, which requires permission to change it. */
function assertPromotable(listing: ListingRecord, context: RequestContext): null {
  if (!ownsListing(context.viewer, listing)) throw ownershipRequired({ type: 'Listing', id: listing._id });
  if (!isPromotable(asOfNow(listing, context.platform.now()))) throw notAvailable();
  return null;
}

async function assertPayable(
  listing: ListingRecord,
  purpose: Wanted['purpose'],
  context: RequestContext,
): Promise<DealerRecord> {
  const { viewer } = context;
  const { owner } = listing;
  if (owner.id === viewer.id || viewer.membershipOf(owner.id))
    throw new AppError('own_listing', 'The buyer must not be the seller.');
  const dealer = owner.type === 'dealer' ? await context.loader(dealerLoader).load(owner.id) : null;
  if (dealer?.state !== 'active' || dealer.payout.accountState !== 'active')
    throw new AppError('payee_not_payable', 'The seller cannot accept payments at the moment.');
  const now = asOfNow(listing, context.platform.now());
  if (!(await isFreeFor({ payer: { userId: viewer.id }, purpose }, now))) throw notAvailable();
  return dealer;
}

function notAvailable(): AppError {
  return new AppError('listing_not_available', 'The listing cannot be bought at the moment.');
}

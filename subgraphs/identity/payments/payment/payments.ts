import type { QueryFilter } from 'mongoose';
import { dealerMembershipRequired } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import type { QueryadminPaymentsArgs, QuerypaymentsArgs } from '../../identity.generated.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { PaymentModel, type PaymentRecord } from './record/model.ts';

const newestFirst = [{ key: 'createdAt', direction: -1 }] as const;

/** Returns payments of the caller, as the payer or for the dealer that is paid. */
export async function payments(
  args: QuerypaymentsArgs,
  context: RequestContext,
): Promise<Connection<PaymentRecord>> {
  const { dealerId, listingId, role, first, after } = args;
  if (dealerId) await assertManager(dealerId, context);
  const conditions: object[] = [sidesOf(context.viewer, role ?? null, dealerId ?? null)];
  if (listingId) conditions.push({ listingId });
  conditions.push(...common({ state: args.state, from: args.createdFrom, to: args.createdTo }));
  const collection = scoped(PaymentModel, context.installationId);
  return findPage({ context, collection, filter: toFilter(conditions), sort: newestFirst, first, after });
}

/** Returns payments of the installation, for comparison with the provider's records. */
export function adminPayments(
  args: QueryadminPaymentsArgs,
  context: RequestContext,
): Promise<Connection<PaymentRecord>> {
  const { disputed, toReturn, provider, first, after } = args;
  const conditions: object[] = common({ state: args.state, from: args.createdFrom, to: args.createdTo });
  if (disputed !== null && disputed !== undefined)
    conditions.push({ disputeId: disputed ? { $type: 'string' } : null });
  const isToReturn = { $gt: 0 };
  if (toReturn !== null && toReturn !== undefined)
    conditions.push({ amountToReturn: toReturn ? isToReturn : { $not: isToReturn } });
  if (provider) conditions.push({ provider });
  const collection = scoped(PaymentModel, context.installationId);
  return findPage({ context, collection, filter: toFilter(conditions), sort: newestFirst, first, after });
}

/** Returns the viewer's sides; for a named dealer, only the payee side. */
function sidesOf(viewer: Viewer, role: 'payer' | 'payee' | null, dealerId: string | null): object {
  const managed = viewer.principal.memberships
    .map((membership) => membership.dealerId)
    .filter((id) => viewer.hasDealerRole(id, 'MANAGER'));
  const received = { 'payee.id': { $in: dealerId ? [dealerId] : managed } };
  const sent = { 'payer.userId': viewer.id };
  if (role === 'payer') return dealerId ? { $and: [sent, { 'payee.id': dealerId }] } : sent;
  if (role === 'payee' || dealerId) return received;
  return managed.length === 0 ? sent : { $or: [sent, received] };
}

async function assertManager(dealerId: string, context: RequestContext): Promise<void> {
  const { viewer } = context;
  if (viewer.hasDealerRole(dealerId, 'MANAGER')) return;
  if (viewer.membershipOf(dealerId))
    throw new AppError('dealer_role_required', 'This needs at least the role "manager" in the dealer.');
  throw (await context.loader(dealerLoader).load(dealerId))
    ? dealerMembershipRequired(dealerId)
    : notFound('The dealer');
}

interface Common {
  state: QuerypaymentsArgs['state'];
  from: Date | null | undefined;
  to: Date | null | undefined;
}

function common({ state, from, to }: Common): object[] {
  const conditions: object[] = [];
  if (state?.length) conditions.push({ state: { $in: state } });
  if (from) conditions.push({ createdAt: { $gte: from } });
  if (to) conditions.push({ createdAt: { $lt: to } });
  return conditions;
}

function toFilter(conditions: object[]): QueryFilter<PaymentRecord> {
  return conditions.length === 0 ? {} : { $and: conditions };
}

import { isDeepStrictEqual } from 'node:util';
import type { ClientSession } from 'mongoose';
import type { FieldProblem } from '../../../../schema/Problem.ts';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields, notFound, problem } from '../../../platform/errors/AppError.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { UpdateDealerInput } from '../../identity.generated.ts';
import { assertMayChange } from '../../kernel/dealer-standing/assertMayChange.ts';
import { peopleHooks } from '../hooks/peopleHooks.ts';
import { changeStanding, ensureSellerLock } from '../seller-standing/sellerStanding.ts';
import { assertNotClosing } from './assertNotClosing.ts';
import { DealerModel, type DealerRecord } from './model.ts';
import { dealerLoader } from './policy.ts';
import { checkProfile } from './profile/checkProfile.ts';
import { attachPictures, checkPictures } from './profile/dealerPictures.ts';
import { applyProfile, type DealerProfile, profileOf } from './profile/profile.ts';
import { forgetMembers } from './standing/forgetMembers.ts';
import { slugTaken } from './storeDealer.ts';

/** Members that cannot be cleared. */
const lasting = ['legalName', 'tradeName', 'slug', 'contactEmail', 'country', 'currency'] as const;
/** Members that the approval confirms: verification and payouts depend on them. */
const fixedByApproval = ['country', 'currency'] as const;
/** Members of the dealer in public copies of listings. */
const shownByListings = ['tradeName', 'locations'] as const;
/** Names in addresses that lead to a dealer. */
const mostSlugs = 20;

export async function updateDealer(input: UpdateDealerInput, context: RequestContext): Promise<DealerRecord> {
  const { dealerId } = input;
  if (!(await context.loader(dealerLoader).load(dealerId))) throw notFound('The dealer');
  await ensureSellerLock(context, dealerId);
  const { dealer, isShown } = await inTransaction((session) => update(input, context, session));
  if (isShown) {
    await peopleHooks.bound.ownerChanged(context, dealerId);
    forgetMembers(context, dealer);
  }
  return dealer;
}

async function update(
  input: UpdateDealerInput,
  context: RequestContext,
  session: ClientSession,
): Promise<{ dealer: DealerRecord; isShown: boolean }> {
  const dealers = scoped(DealerModel, context.installationId);
  const before = await dealers.findOne({ _id: input.dealerId }, { session });
  if (!before) throw notFound('The dealer');
  // Staff have their rights independently of the dealer.
  if (context.viewer.breadthOf('dealers:write') !== 'any') assertMayChange(before);
  if (input.payout !== undefined) assertOwner(context, before);
  const profile = profileOf(before);
  const after = applyProfile(profile, input);
  const problems = [...findProblems(input, before, after), ...(await checkPictures(context, before, after))];
  if (problems.length > 0) throw invalidFields(problems);
  assertVersion(before.version, input.expectedVersion);
  assertNotClosing(before);
  const changed = (Object.keys(after) as (keyof DealerProfile)[]).filter(
    (member) => !isDeepStrictEqual(after[member], profile[member]),
  );
  if (changed.length === 0) return { dealer: before, isShown: false };
  await assertFreeLocations(before, after, session);
  await attachPictures(context, before, after, session);
  const isShown = shownByListings.some((member) => changed.includes(member));
  if (isShown) await changeStanding(context, before._id, session);
  if (!context.viewer.membershipOf(before._id)) await recordUpdate(context, before._id, changed, session);
  const set = {
    ...pickStored(before, after, changed),
    ...slugsAfter(before, after),
    updatedAt: new Date(context.platform.now()),
  };
  const dealer = await dealers
    .findOneAndUpdate(
      { _id: before._id },
      { $set: set, $inc: { version: 1 }, $push: announce(context, 'object.updated') },
      { session },
    )
    .catch((error: unknown) => {
      throw isDuplicateKey(error, 'slugs') ? slugTaken() : error;
    });
  if (!dealer) throw notFound('The dealer');
  return { dealer, isShown };
}

function assertOwner({ viewer }: RequestContext, { _id }: DealerRecord): void {
  if (viewer.hasDealerRole(_id, 'OWNER')) return;
  throw new AppError('dealer_role_required', 'Only an owner of the dealer can change the payout settings.');
}

function findProblems(input: UpdateDealerInput, before: DealerRecord, after: DealerProfile): FieldProblem[] {
  const isApproved = before.state !== 'onboarding';
  const forbidden = fixedByApproval
    .filter((member) => isApproved && after[member] !== before[member])
    .map((member) => ({
      pointer: `#/${member}`,
      code: 'read_only_field',
      detail: `"${member}" cannot be changed after the dealer is approved.`,
    }));
  const empty = [
    ...lasting.filter((member) => input[member] === null),
    ...(input.payout === null ? ['payout'] : input.payout?.schedule === null ? ['payout/schedule'] : []),
  ].map((member) => problem(`#/${member}`, 'This member must not be empty.'));
  const told = new Set(empty.map(({ pointer }) => pointer));
  const wrong = checkProfile(after, knownLocations(input, before, after));
  return [...forbidden, ...empty, ...wrong.filter(({ pointer }) => !told.has(pointer))];
}

function knownLocations(
  { locations }: UpdateDealerInput,
  before: DealerRecord,
  after: DealerProfile,
): ReadonlySet<string> {
  const named = new Set(locations?.map(({ id }) => id));
  const made = after.locations.map(({ id }) => id).filter((id) => !named.has(id));
  return new Set([...before.locations.map(({ id }) => id), ...(locations === undefined ? [] : made)]);
}

/**
 * Checks that removed locations are unused. Listings would lose their location, and an agent restricted to such a
 * location would become unrestricted.
 *
 * @throws AppError `in_use`
 */
async function assertFreeLocations(
  before: DealerRecord,
  after: DealerProfile,
  session: ClientSession,
): Promise<void> {
  const kept = new Set(after.locations.map(({ id }) => id));
  const removed = before.locations.map(({ id }) => id).filter((id) => !kept.has(id));
  if (removed.length === 0) return;
  if (before.members.some(({ locationIds }) => locationIds.some((id) => removed.includes(id))))
    throw new AppError('in_use', 'A member of the dealer is restricted to a location that would be removed.');
  if (await peopleHooks.bound.isLocationUsed(before, removed, session))
    throw new AppError('in_use', 'A listing has a location that would be removed.');
}

function pickStored(
  before: DealerRecord,
  { schedule, ...profile }: DealerProfile,
  changed: readonly (keyof DealerProfile)[],
) {
  const members = Object.entries(profile).filter(([member]) =>
    changed.includes(member as keyof DealerProfile),
  );
  return {
    ...Object.fromEntries(members),
    ...(changed.includes('schedule') ? { 'payout.schedule': schedule } : {}),
    ...(changed.includes('currency') ? termsIn(before, profile.currency) : {}),
  };
}

/** Returns the terms in the new currency, which can change until the approval. */
function termsIn({ commission }: DealerRecord, currency: string) {
  return {
    'payout.minimumAmount.currency': currency,
    ...(commission.fixed ? { 'commission.fixed.currency': currency } : {}),
  };
}

function slugsAfter({ slugs }: DealerRecord, after: DealerProfile): Pick<DealerRecord, 'slugs'> {
  return { slugs: [after.slug, ...slugs.filter((name) => name !== after.slug)].slice(0, mostSlugs) };
}

/** Records actions of staff; those of members are not recorded. */
async function recordUpdate(
  context: RequestContext,
  dealerId: string,
  changed: readonly string[],
  session: ClientSession,
): Promise<void> {
  const target = { type: 'dealer', id: dealerId };
  await recordAudit(
    context,
    { action: 'updateDealer', target, reason: `changed: ${changed.join(', ')}` },
    { session },
  );
}

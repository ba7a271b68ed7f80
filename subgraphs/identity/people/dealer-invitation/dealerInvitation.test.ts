import { concurrently } from '../../../../test/support/concurrently.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { type Caller, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { newOpaqueToken } from '../../../platform/credentials/opaqueToken.ts';
import type { InviteDealerMemberInput } from '../../identity.generated.ts';
import { DealerModel, type DealerRecord } from '../dealer/model.ts';
import { DealerInvitationModel } from './model.ts';

const hour = 3_600_000;
const { market, stack } = product();
let owner: SeededUser;

const manager = perTest(() => market.user());
const guest = perTest(() => market.user());
const dealer = perTest(() => market.dealer({ members: [{ userId: manager.id, role: 'manager' }] }));
beforeEach(async () => {
  ({ owner } = dealer);
});
afterEach(() => stack.resetClock());

const address = () => `${unique('guest')}@example.test`;
const invite = (
  email: string,
  members: Partial<Wire<InviteDealerMemberInput>> = {},
  by: Caller = owner,
  { id: dealerId } = dealer,
) => by.inviteDealerMember({ dealerId, email, role: 'AGENT', ...members });
const inviteGuest = async () => (await invite(guest.email)).invitation.id;
const revoke = (invitationId: string, by: Caller = owner) =>
  by.revokeDealerInvitation({ dealerId: dealer.id, invitationId });
const accept = (token: string, by: Caller = guest) => by.acceptDealerInvitation({ token });
/** The token of the latest mail to an address. */
const tokenFor = async (email = guest.email) =>
  (await stack.mailsTo(email)).at(-1)?.link?.split('#token=')[1] ?? '';
/** A caller with a new token, for use after the clock was moved. */
const renew = async ({ refreshToken }: SeededUser) => {
  const input = { grantType: 'refresh_token', refreshToken };
  const { tokens } = await market.visitor.issueToken(input, 'tokens { accessToken }');
  return market.caller(tokens.accessToken);
};
const listInvitations = async (by: Caller) =>
  (await by.dealerMembers({ dealerId: dealer.id, include: ['INVITATIONS'] })).invitations;
const invitations = () => market.records(DealerInvitationModel);
const invitationOf = (id: string) => invitations().findOne({ _id: id });
const dealers = () => market.records(DealerModel);
const stored = async () => (await dealers().findOne({ _id: dealer.id })) as DealerRecord;
const setDealer = (members: Partial<DealerRecord>) =>
  dealers().findOneAndUpdate({ _id: dealer.id }, { $set: members });
const audits = (id: string) => market.audits({ 'target.id': id });

test('an invitation is mailed with a token that is stored as a hash only', async () => {
  const [north = ''] = dealer.locationIds;
  const answer = await invite(` ${guest.email} `, { locationIds: [north, north] });
  expect(answer).toEqual({
    created: true,
    invitation: {
      ...answer.invitation,
      id: expect.stringMatching(/^inv_/),
      email: guest.email,
      role: 'AGENT',
      locationIds: [north],
      state: 'PENDING',
      invitedBy: owner.id,
    },
  });
  const { id, expiresAt } = answer.invitation;
  const days = (Date.parse(String(expiresAt)) - stack.platform.now()) / (24 * hour);
  expect(Math.round(days)).toBe(7);
  const [mail] = await stack.mailsTo(guest.email);
  expect(mail?.text).toContain((await stored()).tradeName.replace(/[.:/@](?=\S)/g, '$&\u200b'));
  expect(mail?.link).toMatch(/\/accept-invitation#token=[\w-]{43}$/);
  expect(JSON.stringify(await invitationOf(id))).not.toContain(await tokenFor());
  expect(await audits(id)).toMatchObject([{ action: 'inviteDealerMember', reason: `${dealer.id}: agent` }]);
});

test('a second invitation of an address renews the first one and invalidates its mail', async () => {
  const call = (email: string, role: string) =>
    owner.rest('POST', `/api/v1/dealers/${dealer.id}/invitations`, { body: { email, role } });
  const first = await call(guest.email, 'agent');
  expect(first).toMatchObject({ status: 201, body: { role: 'agent' } });
  const old = await tokenFor();
  stack.advance(1000);
  const upperCase = guest.email.toUpperCase();
  const second = await call(upperCase, 'manager');
  expect(second).toMatchObject({ status: 200, body: { id: first.body.id, role: 'manager' } });
  expect(Date.parse(second.body.expiresAt)).toBeGreaterThan(Date.parse(first.body.expiresAt));
  expect(await accept(old)).toBeRefused(404, 'not_found');
  expect(await accept(await tokenFor(upperCase))).not.toBeRefused();
});

test('concurrent invitations of an address create one, and a dealer can send twenty a day', async () => {
  const email = address();
  const results = await concurrently(30, () => invite(email));
  const sent = results.filter((result) => !isRefused(result));
  expect(sent).toHaveLength(20);
  for (const refused of results.filter(isRefused)) expect(refused).toBeRefused(429, 'rate_limited');
  expect(sent.filter(({ created }) => created)).toHaveLength(1);
  expect(await invitations().count({ dealerId: dealer.id })).toBe(1);
  const refused = await owner.rest('POST', `/api/v1/dealers/${dealer.id}/invitations`, {
    body: { email: address(), role: 'agent' },
  });
  expect(refused).toBeRefused(429, 'rate_limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3600);
  const other = await market.dealer();
  expect(await invite(email, {}, other.owner, other)).not.toBeRefused();
  stack.advance(24 * hour);
  expect(await invite(address(), {}, await renew(owner))).not.toBeRefused();
});

test('owners can invite managers and agents, managers can invite agents, and no owner can be invited', async () => {
  expect(await invite(address(), { role: 'MANAGER' })).not.toBeRefused();
  expect(await invite(address(), { role: 'OWNER' })).toBeRefused(422, 'validation_failed');
  expect(await invite(address(), { role: 'AGENT' }, manager)).not.toBeRefused();
  for (const role of ['MANAGER', 'OWNER'] as const)
    expect(await invite(address(), { role }, manager)).toBeRefused(403, 'dealer_role_required');
});

test('a manager can neither renew nor revoke the invitation of a manager', async () => {
  const { invitation } = await invite(guest.email, { role: 'MANAGER' });
  expect(await invite(guest.email, {}, manager)).toBeRefused(403, 'dealer_role_required');
  expect(await revoke(invitation.id, manager)).toBeRefused(403, 'dealer_role_required');
  expect(await invitationOf(invitation.id)).toMatchObject({ role: 'manager', state: 'pending' });
});

test.each<[string, string, Partial<Wire<InviteDealerMemberInput>>, string[]]>([
  ['an invalid address', 'nobody', {}, ['#/email']],
  ['an unknown location', 'guest@example.test', { locationIds: ['loc_1'] }, ['#/locationIds/0']],
  ['locations for a manager', 'guest@x.test', { role: 'MANAGER', locationIds: ['x'] }, ['#/locationIds']],
  [
    'several invalid members',
    '@',
    { role: 'OWNER', locationIds: ['x'] },
    ['#/email', '#/role', '#/locationIds'],
  ],
])('an invitation with %s is refused', async (_, email, members, pointers) => {
  expect(await invite(email, members)).toBeInvalid(...pointers);
  expect(await invitations().count({ dealerId: dealer.id })).toBe(0);
});

test('a member cannot be invited again, in any spelling of the address', async () => {
  expect(await invite(manager.email.toUpperCase())).toBeRefused(409, 'already_member');
});

test('the limit of members includes open invitations', async () => {
  await setDealer({ limits: { maxActiveListings: 10, maxMembers: 3 } });
  await inviteGuest();
  expect(await invite(address())).toBeRefused(403, 'quota_exceeded');
  expect(await invite(guest.email)).not.toBeRefused();
  await setDealer({ limits: { maxActiveListings: 10, maxMembers: 2 } });
  expect(await accept(await tokenFor())).toBeRefused(403, 'quota_exceeded');
});

test('a suspended dealer can neither invite nor admit members', async () => {
  await inviteGuest();
  await setDealer({ state: 'suspended' });
  expect(await invite(guest.email)).toBeRefused(403, 'dealer_not_active');
  expect(await accept(await tokenFor())).toBeRefused(403, 'dealer_not_active');
});

test('owners and managers can read open invitations until they expire', async () => {
  const agent = await market.user();
  await invite(agent.email);
  await accept(await tokenFor(agent.email), agent);
  const id = await inviteGuest();
  for (const reader of [owner, manager]) {
    expect(await reader.dealerMembers({ dealerId: dealer.id })).toMatchObject({ invitations: null });
    expect(await listInvitations(reader)).toMatchObject([{ id, email: guest.email, state: 'PENDING' }]);
  }
  for (const reader of [agent, await market.staff('support')]) {
    const include = ['INVITATIONS' as const];
    const answer = await reader.dealerMembers({ dealerId: dealer.id, include });
    expect(answer).toBeRefused(403, 'dealer_role_required');
  }
  stack.advance(7 * 24 * hour + 1000);
  expect(await listInvitations(await renew(owner))).toEqual([]);
});

test('REST returns open invitations with every page of members', async () => {
  await inviteGuest();
  const path = `/api/v1/dealers/${dealer.id}/members?include=invitations&limit=1`;
  const { headers, body } = await owner.rest('GET', path);
  expect(body).toMatchObject({
    data: [{}],
    page: { nextCursor: expect.any(String), limit: 1 },
    meta: { invitations: [{ email: guest.email, state: 'pending' }] },
  });
  expect(headers.get('link')).toMatch(/include=invitations.*rel="next"/);
  expect(await owner.rest('GET', `${path}&include=secrets`)).toBeRefused(400);
});

test('a revoked invitation cannot be accepted or revoked again, and the address can be invited again', async () => {
  const id = await inviteGuest();
  expect(await revoke(id)).not.toBeRefused();
  expect(await accept(await tokenFor())).toBeRefused(410, 'invitation_expired');
  expect(await revoke(id)).toBeRefused(404, 'not_found');
  expect((await audits(id)).map(({ action }) => action)).toEqual([
    'inviteDealerMember',
    'revokeDealerInvitation',
  ]);
  expect(await invite(guest.email)).not.toBeRefused();
});

test('an accepted invitation and an invitation of another dealer cannot be revoked', async () => {
  const id = await inviteGuest();
  await accept(await tokenFor());
  expect(await revoke(id)).toBeRefused(409, 'invalid_transition', {
    allowedFrom: { state: 'accepted', allowed: [] },
  });
  const other = await market.dealer();
  const { invitation } = await invite(address(), {}, other.owner, other);
  expect(await revoke(invitation.id)).toBeRefused(404, 'not_found');
});

test('accepting an invitation makes the guest a member with the next request', async () => {
  const [north = ''] = dealer.locationIds;
  const { invitation } = await invite(guest.email, { locationIds: [north] });
  const listing = await dealer.listing({ dealerLocationId: north });
  const listIds = async () => (await guest.listings()).nodes.map(({ id }) => id);
  expect(await listIds()).toEqual([]);
  const { membership } = await accept(await tokenFor());
  expect(membership).toMatchObject({
    dealerId: dealer.id,
    name: (await stored()).tradeName,
    dealerState: 'ACTIVE',
    role: 'AGENT',
    locationIds: [north],
  });
  expect(await listIds()).toEqual([listing.id]);
  expect(await invitationOf(invitation.id)).toMatchObject({ state: 'accepted', acceptedBy: guest.id });
  expect((await audits(dealer.id)).at(-1)).toMatchObject({
    action: 'acceptDealerInvitation',
    reason: `${guest.id}: agent`,
  });
});

test('concurrent acceptances of an invitation create one membership', async () => {
  await inviteGuest();
  const token = await tokenFor();
  expect(await concurrently(20, () => accept(token))).toBeRefusedTimes(19, 409, 'already_member');
  const { members } = await stored();
  expect(members.filter(({ userId }) => userId === guest.id)).toHaveLength(1);
});

test('only a user with the invited and confirmed address can accept an invitation', async () => {
  await inviteGuest();
  const token = await tokenFor();
  const stranger = await market.user();
  expect(await accept(token, stranger)).toBeRefused(403, 'invitation_for_other_address');
  expect(await accept(token)).not.toBeRefused();
  const unconfirmed = await market.user({ emailVerified: false });
  await invite(unconfirmed.email);
  const answer = await accept(await tokenFor(unconfirmed.email), unconfirmed);
  expect(answer).toBeRefused(403, 'email_unverified');
});

test.each([newOpaqueToken(), '', '{"$ne": null}'])(
  'an invitation with the unknown token %j is not found',
  async (token) => {
    expect(await accept(token)).toBeRefused(404, 'not_found');
  },
);

test('a former member cannot accept the same invitation again', async () => {
  await inviteGuest();
  const token = await tokenFor();
  await accept(token);
  await guest.removeDealerMember({ dealerId: dealer.id, userId: guest.id });
  expect(await accept(token)).toBeRefused(410, 'token_consumed');
});

test('an invitation is refused after seven days, before and after the job has recorded its expiry', async () => {
  const id = await inviteGuest();
  const token = await tokenFor();
  await stack.runJob('identity.invitations');
  expect(await invitationOf(id)).toMatchObject({ state: 'pending' });
  stack.advance(7 * 24 * hour);
  const late = await renew(guest);
  expect(await accept(token, late)).toBeRefused(410, 'invitation_expired');
  await stack.runJob('identity.invitations');
  expect(await invitationOf(id)).toMatchObject({ state: 'expired', doneAt: expect.any(Date) });
  expect(await accept(token, late)).toBeRefused(410, 'invitation_expired');
  const again = await invite(guest.email, {}, await renew(owner));
  expect(again.created).toBe(true);
  expect(again.invitation.id).not.toBe(id);
});

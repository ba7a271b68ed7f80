import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededUser,
  seed,
  unique,
} from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { newOpaqueToken } from '../../platform/token/opaqueToken.ts';
import { DealerModel, type DealerRecord } from '../dealer/model.ts';
import { buildIdentity } from '../server.ts';
import { DealerInvitationModel } from './model.ts';

const hour = 3_600_000;
let rest: RestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
});
afterAll(() => rest.close());

const invite = `mutation ($input: InviteDealerMemberInput!) { inviteDealerMember(input: $input) {
  created invitation { id email role locationIds state expiresAt invitedBy } } }`;
const revoke = `mutation ($input: RevokeDealerInvitationInput!) {
  revokeDealerInvitation(input: $input) { revokedInvitationId } }`;
const accept = `mutation ($input: AcceptDealerInvitationInput!) {
  acceptDealerInvitation(input: $input) { membership { dealerId name dealerState role locationIds } } }`;
const list = `query ($dealerId: ID!, $include: [DealerMembersInclude!]) {
  dealerMembers(dealerId: $dealerId, include: $include) { invitations { id email state } } }`;
const listings = '{ listings { nodes { id } } }';

const run = (source: string, variables: object, { token }: SeededUser) =>
  rest.stack.execute(source, { ...variables }, { as: token });
const send = (dealer: SeededDealer, email: string, members: object = {}, as = dealer.owner) =>
  run(invite, { input: { dealerId: dealer.id, email, role: 'AGENT', ...members } }, as);
const sent = async (...call: Parameters<typeof send>) => {
  const { data, errors } = await send(...call);
  if (errors) throw errors[0];
  return data?.inviteDealerMember;
};
const join = (token: string, as: SeededUser, members: object = {}) =>
  run(accept, { input: { token, ...members } }, as);
const codeOf = (result: Awaited<ReturnType<typeof run>>) => (result.errors ? problemOf(result).code : 'done');

/** Somebody with a new access token, after the old one's time. */
async function renew(person: SeededUser): Promise<SeededUser> {
  const body = { grant_type: 'refresh_token', refresh_token: person.refreshToken };
  const answer = await rest.call('POST', '/api/v1/auth/token', { body });
  return { ...person, token: answer.body.access_token };
}

/** Token of the latest mail to an address. */
async function tokenFor(email: string): Promise<string> {
  const mail = (await rest.stack.mailsTo(email)).filter(({ kind }) => kind === 'dealerInvitation').at(-1);
  const token = mail?.link?.split('#token=')[1];
  if (!token) throw new Error(`No invitation was sent to ${email}.`);
  return token;
}
const invitations = () => scoped(DealerInvitationModel, shop.installation.id);
const dealers = () => scoped(DealerModel, shop.installation.id);
const stored = async ({ id }: SeededDealer) => (await dealers().findOne({ _id: id })) as DealerRecord;
const setDealer = ({ id }: SeededDealer, members: object) =>
  dealers().findOneAndUpdate({ _id: id }, { $set: members });
const auditsOf = (id: string) =>
  scoped(AuditEventModel, shop.installation.id).find({ 'target.id': id }, { sort: { at: 1, _id: 1 } });

/** A dealer with a manager, and somebody who is no member. */
async function staffed() {
  const [manager, guest] = [await shop.user(), await shop.user()];
  const dealer = await shop.dealer({ members: [{ userId: manager.id, role: 'manager' }] });
  return { dealer, owner: dealer.owner, manager, guest };
}

describe('an invitation', () => {
  test('reaches the address in a mail whose token only its hash is kept of', async () => {
    const { dealer, owner, guest } = await staffed();
    const [north] = dealer.locationIds;
    const { created, invitation } = await sent(dealer, ` ${guest.email} `, { locationIds: [north, north] });
    expect(created).toBe(true);
    expect(invitation).toEqual({
      id: expect.stringMatching(/^inv_/),
      email: guest.email,
      role: 'AGENT',
      locationIds: [north],
      state: 'PENDING',
      expiresAt: expect.any(String),
      invitedBy: owner.id,
    });
    const days = (Date.parse(invitation.expiresAt) - rest.stack.platform.now()) / (24 * hour);
    expect(Math.round(days)).toBe(7);
    const [mail] = await rest.stack.mailsTo(guest.email);
    expect(mail?.text).toContain((await stored(dealer)).tradeName.replace(/[.:/@](?=\S)/g, '$&\u200b'));
    expect(mail?.link).toMatch(/\/accept-invitation#token=[\w-]{43}$/);
    const record = await invitations().findOne({ _id: invitation.id });
    expect(JSON.stringify(record)).not.toContain(await tokenFor(guest.email));
    expect(await auditsOf(invitation.id)).toEqual([
      expect.objectContaining({ action: 'inviteDealerMember', reason: `${dealer.id}: agent` }),
    ]);
  });

  test('over REST is 201, and 200 when it is renewed: the mail before is good for nothing', async () => {
    const { dealer, owner, guest } = await staffed();
    const call = (body: object) =>
      rest.call('POST', `/api/v1/dealers/${dealer.id}/invitations`, { token: owner.token, body });
    const first = await call({ email: guest.email, role: 'agent' });
    expect([first.status, first.body.role, first.body]).toEqual([
      201,
      'agent',
      expect.not.objectContaining({ created: expect.anything() }),
    ]);
    const old = await tokenFor(guest.email);
    rest.stack.advance(1000);
    const second = await call({ email: guest.email.toUpperCase(), role: 'manager' });
    expect([second.status, second.body.id, second.body.role]).toEqual([200, first.body.id, 'manager']);
    expect(Date.parse(second.body.expiresAt)).toBeGreaterThan(Date.parse(first.body.expiresAt));
    expect(codeOf(await join(old, guest))).toBe('not_found');
    expect(codeOf(await join(await tokenFor(guest.email.toUpperCase()), guest))).toBe('done');
  });

  test('under an idempotency key is sent once', async () => {
    const { dealer, guest } = await staffed();
    const idempotencyKey = newId('invitation');
    const first = await sent(dealer, guest.email, { idempotencyKey });
    expect(await sent(dealer, guest.email, { idempotencyKey })).toEqual(first);
    expect(await rest.stack.mailsTo(guest.email)).toHaveLength(1);
  });

  test('of one address by fifty at once is one', async () => {
    const { dealer } = await staffed();
    const email = `${unique('guest')}@example.test`;
    const results = await Promise.all(Array.from({ length: 50 }, () => send(dealer, email)));
    const codes = results.map(codeOf);
    expect(codes.filter((code) => code === 'done')).toHaveLength(20);
    expect(new Set(codes)).toEqual(new Set(['done', 'rate_limited']));
    expect(results.filter(({ data }) => data?.inviteDealerMember?.created)).toHaveLength(1);
    expect(await invitations().count({ dealerId: dealer.id })).toBe(1);
  }, 60_000);

  test('is sent twenty times a day by one dealer, whoever it is for', async () => {
    const { dealer, guest } = await staffed();
    for (let count = 0; count < 10; count += 1) {
      await sent(dealer, `${unique('guest')}@example.test`);
      await sent(dealer, guest.email);
    }
    const refused = problemOf(await send(dealer, `${unique('guest')}@example.test`));
    expect(refused.code).toBe('rate_limited');
    expect(refused.retryAfter).toBeGreaterThan(23 * 3600);
    expect(codeOf(await send(await shop.dealer(), guest.email))).toBe('done');
    rest.stack.advance(24 * hour);
    const owner = await renew(dealer.owner);
    expect(codeOf(await send(dealer, `${unique('guest')}@example.test`, {}, owner))).toBe('done');
  }, 30_000);
});

test.each([
  ['an owner invites a manager', 'owner', 'MANAGER', 'done'],
  ['an owner invites an agent', 'owner', 'AGENT', 'done'],
  ['nobody invites an owner: that is a promotion', 'owner', 'OWNER', 'validation_failed'],
  ['a manager invites an agent', 'manager', 'AGENT', 'done'],
  ['a manager invites no manager', 'manager', 'MANAGER', 'dealer_role_required'],
  ['a manager invites no owner', 'manager', 'OWNER', 'dealer_role_required'],
] as const)('%s', async (_, actor, role, expected) => {
  const people = await staffed();
  expect(codeOf(await send(people.dealer, people.guest.email, { role }, people[actor]))).toBe(expected);
});

test('a manager neither changes nor takes back what an owner offered a manager', async () => {
  const { dealer, manager, guest } = await staffed();
  const { invitation } = await sent(dealer, guest.email, { role: 'MANAGER' });
  expect(codeOf(await send(dealer, guest.email, {}, manager))).toBe('dealer_role_required');
  const input = { dealerId: dealer.id, invitationId: invitation.id };
  expect(codeOf(await run(revoke, { input }, manager))).toBe('dealer_role_required');
  expect((await invitations().findOne({ _id: invitation.id }))?.role).toBe('manager');
});

test.each([
  ['no address', 'nobody', {}, ['#/email']],
  ['a location of nobody', 'guest@example.test', { locationIds: ['loc_1'] }, ['#/locationIds/0']],
  [
    'a manager of some locations',
    'guest@example.test',
    { role: 'MANAGER', locationIds: ['x'] },
    ['#/locationIds'],
  ],
  ['everything wrong', '@', { role: 'OWNER', locationIds: ['x'] }, ['#/email', '#/role', '#/locationIds']],
])('%s is refused with a pointer', async (_, email, members, pointers) => {
  const { dealer } = await staffed();
  const { code, errors } = problemOf(await send(dealer, email, members));
  expect(code).toBe('validation_failed');
  expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
  expect(await invitations().count({ dealerId: dealer.id })).toBe(0);
});

test('a member is not invited again, whatever case his address is written in', async () => {
  const { dealer, manager } = await staffed();
  expect(codeOf(await send(dealer, manager.email.toUpperCase()))).toBe('already_member');
});

test('members and open invitations together are as many as the dealer may have', async () => {
  const { dealer, guest } = await staffed();
  await setDealer(dealer, { limits: { maxActiveListings: 10, maxMembers: 3 } });
  await sent(dealer, guest.email);
  expect(codeOf(await send(dealer, `${unique('guest')}@example.test`))).toBe('quota_exceeded');
  // To send the open one again takes no further place.
  expect(codeOf(await send(dealer, guest.email))).toBe('done');
  await setDealer(dealer, { limits: { maxActiveListings: 10, maxMembers: 2 } });
  expect(codeOf(await join(await tokenFor(guest.email), guest))).toBe('quota_exceeded');
});

test('a dealer that is suspended invites nobody and lets nobody in', async () => {
  const { dealer, guest } = await staffed();
  await sent(dealer, guest.email);
  await setDealer(dealer, { state: 'suspended' });
  expect(codeOf(await send(dealer, guest.email))).toBe('dealer_not_active');
  expect(codeOf(await join(await tokenFor(guest.email), guest))).toBe('dealer_not_active');
});

describe('open invitations', () => {
  test('are shown to owners and managers who ask for them, until they are over', async () => {
    const { dealer, owner, manager, guest } = await staffed();
    const agent = await shop.user();
    await sent(dealer, agent.email);
    await join(await tokenFor(agent.email), agent);
    const { invitation } = await sent(dealer, guest.email);
    const ask = (as: SeededUser, include?: string[]) => run(list, { dealerId: dealer.id, include }, as);
    for (const reader of [owner, manager]) {
      expect((await ask(reader)).data?.dealerMembers.invitations).toBeNull();
      expect((await ask(reader, ['INVITATIONS'])).data?.dealerMembers.invitations).toEqual([
        { id: invitation.id, email: guest.email, state: 'PENDING' },
      ]);
    }
    const support = await shop.staff('support');
    for (const reader of [agent, support])
      expect(codeOf(await ask(reader, ['INVITATIONS']))).toBe('dealer_role_required');
    rest.stack.advance(7 * 24 * hour + 1000);
    const late = await renew(owner);
    expect(
      (await run(list, { dealerId: dealer.id, include: ['INVITATIONS'] }, late)).data?.dealerMembers
        .invitations,
    ).toEqual([]);
  });

  test('stand beside the members over REST', async () => {
    const { dealer, owner, guest } = await staffed();
    await sent(dealer, guest.email);
    const path = `/api/v1/dealers/${dealer.id}/members?include=invitations&limit=1`;
    const { status, headers, body } = await rest.call('GET', path, { token: owner.token });
    expect(status).toBe(200);
    expect(body.data).toHaveLength(1);
    expect(body.page).toEqual({ nextCursor: expect.any(String), limit: 1 });
    expect(headers.get('link')).toMatch(/include=invitations.*rel="next"/);
    expect(body.meta.invitations).toEqual([
      expect.objectContaining({ email: guest.email, state: 'pending' }),
    ]);
    const wrong = await rest.call('GET', `${path}&include=secrets`, { token: owner.token });
    expect(wrong.status).toBe(400);
  });
});

describe('taken back', () => {
  test('its link is good for nothing, and it is gone', async () => {
    const { dealer, owner, guest } = await staffed();
    const { invitation } = await sent(dealer, guest.email);
    const path = `/api/v1/dealers/${dealer.id}/invitations/${invitation.id}`;
    expect((await rest.call('DELETE', path, { token: owner.token })).status).toBe(204);
    expect(codeOf(await join(await tokenFor(guest.email), guest))).toBe('invitation_expired');
    expect((await rest.call('DELETE', path, { token: owner.token })).body.code).toBe('not_found');
    expect((await auditsOf(invitation.id)).map(({ action }) => action)).toEqual([
      'inviteDealerMember',
      'revokeDealerInvitation',
    ]);
    expect(codeOf(await send(dealer, guest.email))).toBe('done');
  });

  test('after it was accepted it is too late', async () => {
    const { dealer, owner, guest } = await staffed();
    const { invitation } = await sent(dealer, guest.email);
    await join(await tokenFor(guest.email), guest);
    const input = { dealerId: dealer.id, invitationId: invitation.id };
    expect(problemOf(await run(revoke, { input }, owner))).toMatchObject({
      code: 'invalid_transition',
      allowedFrom: { state: 'accepted', allowed: [] },
    });
  });

  test.each([
    ['of another dealer', async () => (await sent(await shop.dealer(), 'guest@example.test')).invitation.id],
    ['that never was', async () => newId('invitation')],
    ['whose id is none', async () => 'inv_1'],
  ])('one %s is not found', async (_, idOf) => {
    const { dealer, owner } = await staffed();
    const input = { dealerId: dealer.id, invitationId: await idOf() };
    expect(codeOf(await run(revoke, { input }, owner))).toBe('not_found');
  });
});

describe('accepted', () => {
  test('it makes the guest a member with his very next request', async () => {
    const { dealer, guest } = await staffed();
    const [north] = dealer.locationIds;
    const { invitation } = await sent(dealer, guest.email, { locationIds: [north] });
    const listing = await dealer.listing({ dealerLocationId: north });
    expect((await run(listings, {}, guest)).data?.listings.nodes).toEqual([]);
    const { data } = await join(await tokenFor(guest.email), guest);
    expect(data?.acceptDealerInvitation.membership).toEqual({
      dealerId: dealer.id,
      name: (await stored(dealer)).tradeName,
      dealerState: 'ACTIVE',
      role: 'AGENT',
      locationIds: [north],
    });
    expect((await run(listings, {}, guest)).data?.listings.nodes).toEqual([{ id: listing.id }]);
    expect(await invitations().findOne({ _id: invitation.id })).toMatchObject({
      state: 'accepted',
      acceptedBy: guest.id,
    });
    expect((await auditsOf(dealer.id)).at(-1)).toMatchObject({
      action: 'acceptDealerInvitation',
      reason: `${guest.id}: agent`,
    });
  });

  test('by fifty at once it makes one membership', async () => {
    const { dealer, guest } = await staffed();
    await sent(dealer, guest.email);
    const token = await tokenFor(guest.email);
    const results = await Promise.all(Array.from({ length: 50 }, () => join(token, guest)));
    const codes = results.map(codeOf).sort();
    expect(codes).toEqual([...Array.from({ length: 49 }, () => 'already_member'), 'done']);
    const { members } = await stored(dealer);
    expect(members.filter(({ userId }) => userId === guest.id)).toHaveLength(1);
  }, 60_000);

  test('under an idempotency key it answers the same again', async () => {
    const { dealer, guest } = await staffed();
    await sent(dealer, guest.email);
    const token = await tokenFor(guest.email);
    const idempotencyKey = newId('invitation');
    const first = await join(token, guest, { idempotencyKey });
    expect((await join(token, guest, { idempotencyKey })).data).toEqual(first.data);
  });

  test('it lets in nobody but the one with this address', async () => {
    const { dealer, guest } = await staffed();
    await sent(dealer, guest.email);
    const token = await tokenFor(guest.email);
    expect(codeOf(await join(token, await shop.user()))).toBe('invitation_for_other_address');
    expect(codeOf(await join(token, guest))).toBe('done');
  });

  test('its address must have been confirmed', async () => {
    const guest = await shop.user({ emailVerified: false });
    const { dealer } = await staffed();
    await sent(dealer, guest.email);
    expect(codeOf(await join(await tokenFor(guest.email), guest))).toBe('email_unverified');
  });

  test.each([
    ['never sent', newOpaqueToken()],
    ['empty', ''],
    ['no token', '{"$ne": null}'],
  ])('a token that was %s is not found', async (_, token) => {
    expect(codeOf(await join(token, await shop.user()))).toBe('not_found');
  });

  test('once it does not work again for who has left since', async () => {
    const { dealer, guest } = await staffed();
    await sent(dealer, guest.email);
    const token = await tokenFor(guest.email);
    await join(token, guest);
    const leave =
      'mutation ($input: RemoveDealerMemberInput!) { removeDealerMember(input: $input) { removedUserId } }';
    await run(leave, { input: { dealerId: dealer.id, userId: guest.id } }, guest);
    expect(codeOf(await join(token, guest))).toBe('token_consumed');
  });

  test('after a week it has expired, before and after the job has said so', async () => {
    const { dealer, guest } = await staffed();
    const { invitation } = await sent(dealer, guest.email);
    const token = await tokenFor(guest.email);
    rest.stack.advance(7 * 24 * hour);
    const late = await renew(guest);
    expect(codeOf(await join(token, late))).toBe('invitation_expired');
    await rest.stack.runJob('identity.invitations');
    expect(await invitations().findOne({ _id: invitation.id })).toMatchObject({
      state: 'expired',
      doneAt: expect.any(Date),
    });
    expect(codeOf(await join(token, late))).toBe('invitation_expired');
    const owner = await renew(dealer.owner);
    const again = await sent(dealer, guest.email, {}, owner);
    expect([again.created, again.invitation.id === invitation.id]).toEqual([true, false]);
  });

  test('the job leaves what is still good', async () => {
    const { dealer, guest } = await staffed();
    const { invitation } = await sent(dealer, guest.email);
    await rest.stack.runJob('identity.invitations');
    expect((await invitations().findOne({ _id: invitation.id }))?.state).toBe('pending');
  });
});

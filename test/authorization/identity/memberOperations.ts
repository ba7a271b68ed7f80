import { DealerInvitationModel } from '../../../subgraphs/identity/dealer-invitation/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { hashOpaqueToken, newOpaqueToken } from '../../../subgraphs/platform/token/opaqueToken.ts';
import { unique } from '../../support/seed.ts';
import { collection } from '../collection.ts';
import { namesOf } from '../Item.ts';
import { isUnverified, unverified } from '../meanings.ts';
import type { Call, Case, Cell, Operation } from '../Operation.ts';
import type { World } from '../openWorld.ts';
import { hasRole } from '../rules.ts';

const dealers = namesOf('dealer');
const notFound = { status: 404, code: 'not_found' } as const;
const roleRequired = { status: 403, code: 'dealer_role_required' } as const;

/** A case per dealer. */
const onDealers = (call: (cell: Cell, dealerId: string) => Call | Promise<Call>): Case[] =>
  dealers.map((item) => ({ item, call: (cell) => call(cell, cell.item?.id ?? '') }));

/** Members and invitations of a dealer. */
export const memberOperations: readonly Operation[] = [
  {
    field: 'Query.dealerMembers',
    source: 'agent or dealers:read; open invitations for owner and manager; people only',
    rule: { kind: 'member', or: 'dealers:read' },
    routes: { 'GET /api/v1/dealers/{dealerId}/members': 200 },
    selection: 'nodes { userId role }',
    cases: [
      ...onDealers((_, dealerId) => ({ variables: { dealerId }, path: { dealerId } })),
      {
        name: 'with invitations',
        item: 'dealer',
        call: ({ item }) => ({
          variables: { dealerId: item?.id, include: ['INVITATIONS'] },
          path: { dealerId: item?.id ?? '' },
          query: { include: 'invitations' },
        }),
        meaning: ({ who }) => (hasRole(who, 'manager') ? null : roleRequired),
      },
    ],
    check: (data, { world: { ids } }) => {
      const listed = (data.nodes ?? data.data).map(({ userId }: { userId: string }) => userId);
      expect(listed).toEqual(expect.arrayContaining([ids.owner, ids.manager]));
      expect(listed).not.toContain(ids.rival);
    },
  },
  {
    field: 'Mutation.updateDealerMember',
    source: 'owner, with a recent sign-in; 404; people only',
    rule: { kind: 'member', atLeast: 'owner' },
    stepUp: true,
    routes: { 'PATCH /api/v1/dealers/{dealerId}/members/{userId}': 200 },
    selection: 'member { userId role }',
    cases: [
      ...onDealers(async ({ world, isAnswered }, dealerId) =>
        changing(dealerId, isAnswered ? await newAgent(world) : world.ids.agent),
      ),
      {
        name: 'nobody',
        item: 'dealer',
        call: ({ item, world }) => changing(item?.id ?? '', world.ids.rival),
        meaning: () => notFound,
      },
    ],
  },
  {
    field: 'Mutation.removeDealerMember',
    source: 'manager over a lower role, or oneself; 403 dealer_role_required; people only',
    rule: { kind: 'member' },
    routes: { 'DELETE /api/v1/dealers/{dealerId}/members/{userId}': 204 },
    selection: 'removedUserId',
    cases: [
      ...onDealers(async ({ world, isAnswered }, dealerId) =>
        naming(dealerId, isAnswered ? await newAgent(world) : newId('user')),
      ).map((entry) => ({
        ...entry,
        meaning: ({ who }: Cell) => (hasRole(who, 'manager') ? null : roleRequired),
      })),
      {
        name: 'nobody',
        item: 'dealer',
        call: ({ item, world }) => naming(item?.id ?? '', world.ids.rival),
        meaning: ({ who }) => (hasRole(who, 'manager') ? notFound : roleRequired),
      },
    ],
  },
  {
    field: 'Mutation.inviteDealerMember',
    source: 'manager; a manager invites agents only; people only',
    rule: { kind: 'member', atLeast: 'manager' },
    routes: { 'POST /api/v1/dealers/{dealerId}/invitations': 201 },
    selection: 'invitation { id }',
    cases: [
      ...onDealers((_, dealerId) => inviting(dealerId, 'agent')),
      {
        name: 'a manager',
        item: 'dealer',
        call: ({ item }) => inviting(item?.id ?? '', 'manager'),
        meaning: ({ who }) => (hasRole(who, 'owner') ? null : roleRequired),
      },
    ],
  },
  {
    field: 'Mutation.revokeDealerInvitation',
    source: 'manager; 404; people only',
    rule: { kind: 'member', atLeast: 'manager' },
    routes: { 'DELETE /api/v1/dealers/{dealerId}/invitations/{invitationId}': 204 },
    selection: 'revokedInvitationId',
    cases: [
      ...onDealers(async ({ world, isAnswered }, dealerId) =>
        revoking(
          dealerId,
          isAnswered ? (await newInvitation(world, dealerId)).invitationId : newId('invitation'),
        ),
      ),
      {
        name: 'that never was',
        item: 'dealer',
        call: ({ item }) => revoking(item?.id ?? '', newId('invitation')),
        meaning: () => notFound,
      },
    ],
  },
  {
    field: 'Mutation.acceptDealerInvitation',
    source: 'authenticated, by the confirmed address that was invited; 404; people only',
    rule: { kind: 'signed in' },
    routes: { 'POST /api/v1/dealer-invitations/accept': 200 },
    selection: 'membership { dealerId }',
    cases: [
      {
        name: 'own',
        call: async ({ world, who, isAnswered }) => {
          if (!isAnswered) return accepting(newOpaqueToken());
          // Nobody of the matrix is to become a member of anything.
          const [guest, dealer] = [await world.twin(who), await world.shop.dealer()];
          const { token } = await newInvitation(world, dealer.id, guest.email);
          return { ...accepting(token), token: guest.token };
        },
        meaning: (cell) => (isUnverified(cell) ? unverified : null),
      },
      {
        name: 'that never was',
        call: () => accepting(newOpaqueToken()),
        meaning: (cell) => (isUnverified(cell) ? unverified : notFound),
      },
    ],
  },
];

function naming(dealerId: string, userId: string): Call {
  return { variables: { input: { dealerId, userId } }, path: { dealerId, userId } };
}

function changing(dealerId: string, userId: string): Call {
  return {
    variables: { input: { dealerId, userId, role: 'MANAGER' } },
    path: { dealerId, userId },
    body: { role: 'manager' },
  };
}

function inviting(dealerId: string, role: 'agent' | 'manager'): Call {
  const email = `${unique('guest')}@example.test`;
  return {
    variables: { input: { dealerId, email, role: role.toUpperCase() } },
    path: { dealerId },
    body: { email, role },
  };
}

function revoking(dealerId: string, invitationId: string): Call {
  return { variables: { input: { dealerId, invitationId } }, path: { dealerId, invitationId } };
}

function accepting(token: string): Call {
  return { variables: { input: { token } }, body: { token } };
}

/** An agent of the garage whom no caller is. */
async function newAgent({ shop, garage, app }: World): Promise<string> {
  const { id } = await shop.user();
  await collection('dealers').updateOne({ _id: garage.id }, {
    $push: { members: { userId: id, role: 'agent', locationIds: [], joinedAt: new Date() } },
  } as object);
  app.stack.platform.forgetPrincipal({ userId: id });
  return id;
}

/** An open invitation, past the mails of the day. */
async function newInvitation(
  { shop }: World,
  dealerId: string,
  email = `${unique('guest')}@example.test`,
): Promise<{ invitationId: string; token: string }> {
  const token = newOpaqueToken();
  const at = new Date();
  const { _id } = await scoped(DealerInvitationModel, shop.installation.id).insert({
    _id: newId('invitation'),
    dealerId,
    email,
    emailNormalized: email,
    role: 'agent',
    locationIds: [],
    state: 'pending',
    tokenHash: hashOpaqueToken(token),
    expiresAt: new Date(at.getTime() + 3_600_000),
    invitedBy: newId('user'),
    sentAt: [],
    acceptedBy: null,
    createdAt: at,
    doneAt: null,
  });
  return { invitationId: _id, token };
}

import { DealerInvitationModel } from '../../../subgraphs/identity/people/dealer-invitation/model.ts';
import { hashOpaqueToken, newOpaqueToken } from '../../../subgraphs/platform/credentials/opaqueToken.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { unique } from '../../support/seed.ts';
import { ofTests } from '../../support/stack/scatteredCommands.ts';
import { once, onEach, reading, writing } from '../matrix/calls.ts';
import type { Call, Operation } from '../matrix/Operation.ts';
import { hasRole } from '../matrix/rules.ts';
import { collection } from '../world/collection.ts';
import { namesOf } from '../world/Item.ts';
import {
  isUnverified,
  notFound,
  onlyManagers,
  onlyVerified,
  roleRequired,
  unverified,
} from '../world/meanings.ts';
import type { World } from '../world/openWorld.ts';

const dealers = namesOf('dealer');

/** Members and invitations of a dealer. */
export const memberOperations: readonly Operation[] = [
  {
    field: 'Query.dealerMembers',
    rule: { kind: 'member', or: 'dealers:read' },
    selection: 'nodes { userId role }',
    cases: [
      ...onEach(dealers, (dealerId) => reading({ dealerId })),
      ...onEach(
        ['dealer'],
        (dealerId) => ({
          variables: { dealerId, include: ['INVITATIONS'] },
          path: { dealerId },
          query: { include: 'invitations' },
        }),
        { name: 'with invitations', meaning: onlyManagers },
      ),
    ],
    check: (data, { world: { ids } }) => {
      const listed = (data.nodes ?? data.data).map(({ userId }: { userId: string }) => userId);
      expect(listed).toEqual(expect.arrayContaining([ids.owner, ids.manager]));
      expect(listed).not.toContain(ids.rival);
    },
  },
  {
    field: 'Mutation.updateDealerMember',
    rule: { kind: 'member', atLeast: 'owner' },
    stepUp: true,
    selection: 'member { userId role }',
    cases: [
      ...onEach(dealers, async (dealerId, { world, isAnswered }) =>
        changing(dealerId, isAnswered ? await newAgent(world) : world.ids.agent),
      ),
      ...onEach(['dealer'], (dealerId, { world }) => changing(dealerId, world.ids.rival), {
        name: 'nobody',
        meaning: () => notFound,
      }),
    ],
  },
  {
    field: 'Mutation.removeDealerMember',
    rule: { kind: 'member' },
    selection: 'removedUserId',
    cases: [
      ...onEach(
        dealers,
        async (dealerId, { world, isAnswered }) =>
          writing({ dealerId, userId: isAnswered ? await newAgent(world) : newId('user') }),
        { meaning: onlyManagers },
      ),
      ...onEach(['dealer'], (dealerId, { world }) => writing({ dealerId, userId: world.ids.rival }), {
        name: 'nobody',
        meaning: ({ who }) => (hasRole(who, 'manager') ? notFound : roleRequired),
      }),
    ],
  },
  {
    field: 'Mutation.inviteDealerMember',
    rule: { kind: 'member', atLeast: 'manager' },
    selection: 'invitation { id }',
    cases: [
      ...onEach(dealers, (dealerId) => inviting(dealerId, 'agent')),
      ...onEach(['dealer'], (dealerId) => inviting(dealerId, 'manager'), {
        name: 'a manager',
        meaning: ({ who }) => (hasRole(who, 'owner') ? null : roleRequired),
      }),
    ],
  },
  {
    field: 'Mutation.revokeDealerInvitation',
    rule: { kind: 'member', atLeast: 'manager' },
    selection: 'revokedInvitationId',
    cases: [
      ...onEach(dealers, async (dealerId, { world, isAnswered }) => {
        const invitation = isAnswered ? await newInvitation(world, dealerId) : null;
        return writing({ dealerId, invitationId: invitation?.invitationId ?? newId('invitation') });
      }),
      ...onEach(['dealer'], (dealerId) => writing({ dealerId, invitationId: newId('invitation') }), {
        name: 'that never was',
        meaning: () => notFound,
      }),
    ],
  },
  {
    field: 'Mutation.acceptDealerInvitation',
    rule: { kind: 'signed in' },
    selection: 'membership { dealerId }',
    cases: [
      once(
        async ({ world, who, isAnswered }) => {
          if (!isAnswered) return writing({}, { token: newOpaqueToken() });
          // The invited user is not a caller of the matrix, because a membership would change other cells.
          const [guest, dealer] = [await world.twin(who), await world.shop.dealer()];
          const { token } = await newInvitation(world, dealer.id, guest.email);
          return { ...writing({}, { token }), token: guest.token };
        },
        { name: 'own', meaning: onlyVerified },
      ),
      once(() => writing({}, { token: newOpaqueToken() }), {
        name: 'that never was',
        meaning: (cell) => (isUnverified(cell) ? unverified : notFound),
      }),
    ],
  },
];

function changing(dealerId: string, userId: string): Call {
  return writing({ dealerId, userId }, { role: 'manager' }, { role: 'MANAGER' });
}

function inviting(dealerId: string, role: 'agent' | 'manager'): Call {
  const body = { email: `${unique('guest')}@example.test`, role };
  return writing({ dealerId }, body, { role: role.toUpperCase() });
}

/** An agent of the garage that is not a caller of the matrix. */
async function newAgent({ shop, garage, app }: World): Promise<string> {
  const { id } = await shop.user();
  const member = { userId: id, role: 'agent', locationIds: [], joinedAt: new Date() };
  const update = { $push: { members: member } } as object;
  await collection('dealers').updateOne({ _id: garage.id }, update, { comment: ofTests });
  app.stack.platform.forgetPrincipal({ userId: id });
  return id;
}

/** An open invitation. It is stored directly, because mails per day are limited. */
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

import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { unique } from '../../support/seed.ts';
import { collection } from '../collection.ts';
import { namesOf } from '../Item.ts';
import { isUnverified, unverified } from '../meanings.ts';
import type { Call, Case, Cell, Operation } from '../Operation.ts';
import type { DealerRole } from '../people.ts';
import { hasRole, isMember } from '../rules.ts';

const items = namesOf('dealer');

/** The same call for every item; what is answered is done to a dealer of its own, in the state that it needs. */
function casesOf(body: object, state: string, role: DealerRole = 'owner'): Case[] {
  return items.map((item) => ({
    item,
    call: async (cell) => {
      const dealerId = cell.isAnswered ? await found(cell, state, role) : (cell.item?.id ?? '');
      return callOf(dealerId, body);
    },
  }));
}

function callOf(dealerId: string, body: object): Call {
  return { variables: { input: { dealerId, ...body } }, path: { dealerId }, body };
}

/** A dealer that the caller acts for, if the garage is his too. */
async function found({ world, who, item }: Cell, state: string, role: DealerRole): Promise<string> {
  const members = item && isMember(who, item) ? [{ userId: world.ids[who], role }] : [];
  const { id } = await world.shop.dealer({ members });
  await collection('dealers').updateOne({ _id: id }, { $set: { state, ...standings[state] } });
  world.app.stack.platform.forgetPrincipal({ userId: world.ids[who] });
  return id;
}

/** A verification as it is when the dealer is in a state. */
const standings: Record<string, object> = {
  onboarding: { 'verification.state': 'submitted', 'verification.version': 1 },
};

const admin = (permission: string) =>
  ({ kind: 'holds', permission, reach: 'not_found' }) as const satisfies Operation['rule'];
const shown = (dealer: { id: string }, { item }: Cell) => expect(dealer.id).toBe(item?.id);

/** Dealers. */
export const dealerOperations: readonly Operation[] = [
  {
    field: 'Mutation.createDealer',
    source: 'authenticated; 403 email_unverified; nobody owns more than five',
    rule: { kind: 'signed in' },
    routes: { 'POST /api/v1/dealers': 201 },
    selection: 'dealer { id state }',
    cases: [
      {
        call: async ({ world, who, isAnswered }) => {
          const name = unique('new-garage');
          const body = { legalName: name, tradeName: name, contactEmail: 'x@example.test', country: 'DE' };
          const call = { variables: { input: body }, body };
          // Whoever owns some already founds his next one as somebody like him.
          return isAnswered ? { ...call, token: (await world.twin(who)).token } : call;
        },
        meaning: (cell) => (isUnverified(cell) ? unverified : null),
      },
    ],
  },
  {
    field: 'Query.dealer',
    source: 'agent or dealers:read; clients with dealer:read',
    rule: { kind: 'member', or: 'dealers:read' },
    scope: 'dealer:read',
    routes: { 'GET /api/v1/dealers/{dealerId}': 200 },
    selection: 'id tradeName',
    cases: items.map((item) => ({
      item,
      call: ({ item }) => ({ variables: { dealerId: item?.id }, path: { dealerId: item?.id ?? '' } }),
    })),
    check: shown,
  },
  {
    field: 'Mutation.updateDealer',
    source: 'manager or dealers:write; 403 dealer_role_required',
    rule: { kind: 'member', atLeast: 'manager', or: 'dealers:write' },
    routes: { 'PATCH /api/v1/dealers/{dealerId}': 200 },
    selection: 'dealer { id }',
    cases: items.map((item) => ({
      item,
      call: ({ item, who, world }) => callOf(item?.id ?? '', { description: `${world.secret} by ${who}` }),
    })),
  },
  {
    field: 'Mutation.closeDealer',
    source: 'owner; step-up',
    rule: { kind: 'member', atLeast: 'owner' },
    stepUp: true,
    routes: { 'DELETE /api/v1/dealers/{dealerId}': 202 },
    selection: 'dealer { id state }',
    cases: items.map((item) => ({
      item,
      call: async (cell) => {
        const dealerId = cell.isAnswered ? await found(cell, 'active', 'owner') : (cell.item?.id ?? '');
        return { variables: { input: { dealerId } }, path: { dealerId } };
      },
    })),
  },
  {
    field: 'Mutation.putDealerVerification',
    source: 'owner',
    rule: { kind: 'member', atLeast: 'owner' },
    routes: { 'PUT /api/v1/dealers/{dealerId}/verification': 200 },
    selection: 'verification { state }',
    cases: items.map((item) => ({
      item,
      call: ({ item, world }) => callOf(item?.id ?? '', { registrationNumber: world.secret }),
    })),
  },
  {
    field: 'Mutation.submitDealerVerification',
    source: 'owner',
    rule: { kind: 'member', atLeast: 'owner' },
    routes: { 'POST /api/v1/dealers/{dealerId}/verification/submit': 200 },
    selection: 'verification { state }',
    cases: items.map((item) => ({
      item,
      call: async (cell) => {
        const dealerId = cell.isAnswered ? await found(cell, 'active', 'owner') : (cell.item?.id ?? '');
        if (cell.isAnswered) await complete(dealerId, cell);
        return { variables: { input: { dealerId } }, path: { dealerId } };
      },
    })),
  },
  {
    field: 'Query.adminDealers',
    source: 'dealers:read; of this installation only',
    rule: { kind: 'holds any', permissions: ['dealers:read'] },
    routes: { 'GET /api/v1/admin/dealers': 200 },
    selection: 'nodes { id }',
    cases: [{ call: () => ({ variables: { first: 100 }, query: { limit: '100' } }) }],
    check: (data, { world }) => {
      const ids = (data.nodes ?? data.data).map(({ id }: { id: string }) => id);
      expect(ids).not.toContain(world.items.dealerElsewhere.id);
      expect(ids.length).toBeGreaterThan(0);
    },
  },
  {
    field: 'Mutation.approveDealer',
    source: 'dealers:verify; four eyes',
    rule: admin('dealers:verify'),
    routes: { 'POST /api/v1/admin/dealers/{dealerId}/approve': 200 },
    selection: 'dealer { id state }',
    cases: casesOf({}, 'onboarding').map((entry) => ({
      ...entry,
      meaning: ({ who, item }) =>
        item && isMember(who, item) && hasRole(who, 'agent') ? { status: 403, code: 'four_eyes' } : null,
    })),
  },
  {
    field: 'Mutation.rejectDealer',
    source: 'dealers:verify',
    rule: admin('dealers:verify'),
    routes: { 'POST /api/v1/admin/dealers/{dealerId}/reject': 200 },
    selection: 'dealer { id }',
    cases: casesOf({ reasonCodes: ['OTHER'] }, 'onboarding').map(withLowerCase),
  },
  {
    field: 'Mutation.suspendDealer',
    source: 'dealers:suspend',
    rule: admin('dealers:suspend'),
    routes: { 'POST /api/v1/admin/dealers/{dealerId}/suspend': 200 },
    selection: 'dealer { id state }',
    cases: casesOf({ reason: 'Complaints' }, 'active'),
  },
  {
    field: 'Mutation.reinstateDealer',
    source: 'dealers:suspend',
    rule: admin('dealers:suspend'),
    routes: { 'POST /api/v1/admin/dealers/{dealerId}/reinstate': 200 },
    selection: 'dealer { id state }',
    cases: casesOf({}, 'suspended'),
  },
];

/** REST writes enum values in lower case. */
function withLowerCase(entry: Case): Case {
  return {
    ...entry,
    call: async (cell) => {
      const call = await entry.call(cell);
      return { ...call, body: { reasonCodes: ['other'] } };
    },
  };
}

/** Everything that a submitted verification needs. */
async function complete(dealerId: string, { world }: Cell): Promise<void> {
  const documents = [];
  for (const kind of ['id', 'register_extract']) {
    const _id = newId('media');
    await collection('media').insertOne({
      _id,
      installationId: world.shop.installation.id,
      owner: { type: 'dealer', id: dealerId },
      purpose: 'verification',
      state: 'ready',
    });
    documents.push({ kind, mediaId: _id, expiresOn: null });
  }
  const address = { line1: 'Hauptstr. 1', line2: null, postalCode: '10115', city: 'Berlin', region: null };
  await collection('dealers').updateOne(
    { _id: dealerId },
    {
      $set: {
        address: { ...address, country: 'DE' },
        contactPhone: '+4930123456',
        'verification.state': 'draft',
        'verification.version': 1,
        'verification.registrationNumber': 'HRB 1',
        'verification.representative': { givenName: 'A', familyName: 'B', birthDate: '1980-01-01' },
        'verification.documents': documents,
        'verification.selfCertification': true,
      },
    },
  );
}

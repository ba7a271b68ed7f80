import { storeMedia } from '../../support/people/storeMedia.ts';
import { unique } from '../../support/seed.ts';
import { ofTests } from '../../support/stack/scatteredCommands.ts';
import { idsIn, isItem, once, onEach, onFresh, reading, writing } from '../matrix/calls.ts';
import type { Case, Cell, Operation } from '../matrix/Operation.ts';
import { hasRole, isMember } from '../matrix/rules.ts';
import { collection } from '../world/collection.ts';
import { namesOf } from '../world/Item.ts';
import { onlyVerified } from '../world/meanings.ts';

const items = namesOf('dealer');

/** A write for each dealer. An allowed call uses a new dealer in this state. */
const casesOf = (state: string, body?: object, inGraphql?: object, options: Partial<Case> = {}): Case[] =>
  onFresh(
    items,
    (cell) => found(cell, state),
    (dealerId) => writing({ dealerId }, body, inGraphql),
    options,
  );

/** Creates a dealer. The caller owns it if the caller is a member of the item's dealer. */
async function found({ world, who, item }: Cell, state: string): Promise<string> {
  const members = item && isMember(who, item) ? [{ userId: world.ids[who], role: 'owner' as const }] : [];
  const { id } = await world.shop.dealer({ members });
  await collection('dealers').updateOne(
    { _id: id },
    { $set: { state, ...standings[state] } },
    { comment: ofTests },
  );
  world.app.stack.platform.forgetPrincipal({ userId: world.ids[who] });
  return id;
}

/** The verification of a dealer in a state. */
const standings: Record<string, object> = {
  onboarding: { 'verification.state': 'submitted', 'verification.version': 1 },
};

const admin = (permission: string) =>
  ({ kind: 'holds', permission, reach: 'not_found' }) as const satisfies Operation['rule'];

/** Dealers. */
export const dealerOperations: readonly Operation[] = [
  {
    field: 'Mutation.createDealer',
    rule: { kind: 'signed in' },
    selection: 'dealer { id state }',
    cases: [
      once(
        async ({ world, who, isAnswered }) => {
          const name = unique('new-garage');
          const contact = { contactEmail: 'x@example.test', country: 'DE' };
          const call = writing({}, { legalName: name, tradeName: name, ...contact });
          // A user owns at most five dealers.
          return isAnswered ? { ...call, token: (await world.twin(who)).token } : call;
        },
        { meaning: onlyVerified },
      ),
    ],
  },
  {
    field: 'Query.dealer',
    rule: { kind: 'member', or: 'dealers:read' },
    scope: 'dealer:read',
    selection: 'id tradeName',
    cases: onEach(items, (dealerId) => reading({ dealerId })),
    check: isItem,
  },
  {
    field: 'Mutation.updateDealer',
    rule: { kind: 'member', atLeast: 'manager', or: 'dealers:write' },
    selection: 'dealer { id }',
    cases: onEach(items, (dealerId, { who, world }) =>
      writing({ dealerId }, { description: `${world.secret} by ${who}` }),
    ),
  },
  {
    field: 'Mutation.closeDealer',
    rule: { kind: 'member', atLeast: 'owner' },
    stepUp: true,
    selection: 'dealer { id state }',
    cases: casesOf('active'),
  },
  {
    field: 'Mutation.putDealerVerification',
    rule: { kind: 'member', atLeast: 'owner' },
    selection: 'verification { state }',
    cases: onEach(items, (dealerId, { world }) =>
      writing({ dealerId }, { registrationNumber: world.secret }),
    ),
  },
  {
    field: 'Mutation.submitDealerVerification',
    rule: { kind: 'member', atLeast: 'owner' },
    selection: 'verification { state }',
    cases: onFresh(items, foundComplete, (dealerId) => writing({ dealerId })),
  },
  {
    field: 'Query.adminDealers',
    rule: { kind: 'holds any', permissions: ['dealers:read'] },
    selection: 'nodes { id }',
    cases: [once(() => ({ variables: { first: 100 }, query: { limit: '100' } }))],
    check: (data, { world }) => {
      expect(idsIn(data)).not.toContain(world.items.dealerElsewhere.id);
      expect(idsIn(data).length).toBeGreaterThan(0);
    },
  },
  {
    field: 'Mutation.approveDealer',
    rule: admin('dealers:verify'),
    selection: 'dealer { id state }',
    cases: casesOf(
      'onboarding',
      {},
      {},
      {
        meaning: ({ who, item }) =>
          item && isMember(who, item) && hasRole(who, 'agent') ? { status: 403, code: 'four_eyes' } : null,
      },
    ),
  },
  {
    field: 'Mutation.rejectDealer',
    rule: admin('dealers:verify'),
    selection: 'dealer { id }',
    cases: casesOf('onboarding', { reasonCodes: ['other'] }, { reasonCodes: ['OTHER'] }),
  },
  {
    field: 'Mutation.suspendDealer',
    rule: admin('dealers:suspend'),
    selection: 'dealer { id state }',
    cases: casesOf('active', { reason: 'Complaints' }),
  },
  {
    field: 'Mutation.reinstateDealer',
    rule: admin('dealers:suspend'),
    selection: 'dealer { id state }',
    cases: casesOf('suspended', {}),
  },
];

/** A new dealer with everything that a submitted verification needs. */
async function foundComplete(cell: Cell): Promise<string> {
  const dealerId = await found(cell, 'active');
  const owner = { type: 'dealer', id: dealerId } as const;
  const here = cell.world.shop.installation.id;
  const documents = [];
  for (const kind of ['id', 'register_extract'])
    documents.push({
      kind,
      mediaId: await storeMedia(here, owner, { purpose: 'verification' }),
      expiresOn: null,
    });
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
    { comment: ofTests },
  );
  return dealerId;
}

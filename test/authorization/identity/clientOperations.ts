import { ofTests } from '../../support/stack/scatteredCommands.ts';
import { idsIn, onEach, reading, writing } from '../matrix/calls.ts';
import type { Operation } from '../matrix/Operation.ts';
import { collection } from '../world/collection.ts';
import { namesOf } from '../world/Item.ts';
import { notFound } from '../world/meanings.ts';
import type { World } from '../world/openWorld.ts';
import { makeClient } from '../world/signInMachines.ts';

const dealers = namesOf('dealer');

/** API clients of a dealer. */
export const clientOperations: readonly Operation[] = [
  {
    field: 'Query.dealerApiClients',
    rule: { kind: 'member', atLeast: 'manager' },
    selection: 'nodes { id }',
    cases: onEach(dealers, (dealerId) => reading({ dealerId })),
    check: (data, { world: { ids } }) => {
      expect(idsIn(data)).toEqual(expect.arrayContaining([ids.client, ids.narrowClient]));
      expect(idsIn(data)).not.toContain(ids.rivalClient);
    },
  },
  {
    field: 'Mutation.createDealerApiClient',
    rule: { kind: 'member', atLeast: 'owner' },
    stepUp: true,
    selection: 'apiClient { id } clientSecret',
    cases: onEach(dealers, async (dealerId, { who, world, isAnswered }) => {
      if (isAnswered) await makeRoom(world);
      return writing({ dealerId }, { name: `Machine of ${who}`, scopes: ['dealer:read'] });
    }),
  },
  {
    field: 'Mutation.deleteDealerApiClient',
    rule: { kind: 'member', atLeast: 'owner' },
    selection: 'deletedClientId',
    cases: [
      ...onEach(dealers, async (dealerId, { world, isAnswered }) => {
        if (!isAnswered) return writing({ dealerId, clientId: world.ids.client });
        await makeRoom(world);
        const { id: clientId } = await makeClient(world.garage, ['dealer:read']);
        return writing({ dealerId, clientId });
      }),
      ...onEach(['dealer'], (dealerId, { world }) => writing({ dealerId, clientId: world.ids.rivalClient }), {
        name: 'of another dealer',
        meaning: () => notFound,
      }),
    ],
  },
];

/** Deletes the clients of other cells, because a dealer has at most ten. */
async function makeRoom({ garage, ids }: World): Promise<void> {
  const ofTheMatrix = [ids.client, ids.narrowClient, ids.awayClient];
  await collection('api_clients').deleteMany(
    { dealerId: garage.id, _id: { $nin: ofTheMatrix } },
    { comment: ofTests },
  );
}

import { collection } from '../collection.ts';
import { namesOf } from '../Item.ts';
import type { Call, Cell, Operation } from '../Operation.ts';
import type { World } from '../openWorld.ts';
import { makeClient } from '../signInMachines.ts';

const dealers = namesOf('dealer');

/** API clients of a dealer. */
export const clientOperations: readonly Operation[] = [
  {
    field: 'Query.dealerApiClients',
    source: 'manager; people only',
    rule: { kind: 'member', atLeast: 'manager' },
    routes: { 'GET /api/v1/dealers/{dealerId}/api-clients': 200 },
    selection: 'nodes { id }',
    cases: dealers.map((item) => ({
      item,
      call: ({ item }) => ({ variables: { dealerId: item?.id }, path: { dealerId: item?.id ?? '' } }),
    })),
    check: (data, { world: { ids } }) => {
      const listed = (data.nodes ?? data.data).map(({ id }: { id: string }) => id);
      expect(listed).toEqual(expect.arrayContaining([ids.client, ids.narrowClient]));
      expect(listed).not.toContain(ids.rivalClient);
    },
  },
  {
    field: 'Mutation.createDealerApiClient',
    source: 'owner, with a recent sign-in; people only',
    rule: { kind: 'member', atLeast: 'owner' },
    stepUp: true,
    routes: { 'POST /api/v1/dealers/{dealerId}/api-clients': 201 },
    selection: 'apiClient { id } clientSecret',
    cases: dealers.map((item) => ({
      item,
      call: async ({ item, who, world, isAnswered }) => {
        if (isAnswered) await makeRoom(world);
        const dealerId = item?.id ?? '';
        const body = { name: `Machine of ${who}`, scopes: ['dealer:read'] };
        return { variables: { input: { dealerId, ...body } }, path: { dealerId }, body };
      },
    })),
  },
  {
    field: 'Mutation.deleteDealerApiClient',
    source: 'owner; people only; another dealer’s client is 404',
    rule: { kind: 'member', atLeast: 'owner' },
    routes: { 'DELETE /api/v1/dealers/{dealerId}/api-clients/{clientId}': 204 },
    selection: 'deletedClientId',
    cases: [
      ...dealers.map((item) => ({
        item,
        call: async (cell: Cell) => {
          const { world, isAnswered } = cell;
          if (!isAnswered) return naming(cell, world.ids.client);
          await makeRoom(world);
          return naming(cell, (await makeClient(world.app, world.garage, ['dealer:read'])).id);
        },
      })),
      {
        name: 'of another dealer',
        item: 'dealer',
        call: (cell) => naming(cell, cell.world.ids.rivalClient),
        meaning: () => ({ status: 404, code: 'not_found' }),
      },
    ],
  },
];

/** A dealer has ten clients at most: whatever other cells have made goes. */
async function makeRoom({ garage, ids }: World): Promise<void> {
  const ofTheMatrix = [ids.client, ids.narrowClient, ids.awayClient];
  await collection('api_clients').deleteMany({ dealerId: garage.id, _id: { $nin: ofTheMatrix } });
}

function naming({ item }: Cell, clientId: string): Call {
  const dealerId = item?.id ?? '';
  return { variables: { input: { dealerId, clientId } }, path: { dealerId, clientId } };
}

import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { ofTests } from '../../support/stack/scatteredCommands.ts';
import { onEach, reading, writing } from '../matrix/calls.ts';
import type { Operation } from '../matrix/Operation.ts';
import { collection } from '../world/collection.ts';
import { namesOf } from '../world/Item.ts';
import { isUnverified, onlyVerified, roleRequired, unverified } from '../world/meanings.ts';
import { type Person, people } from '../world/people.ts';

const items = namesOf('dealer');

async function storeImport(installationId: string, dealerId: string): Promise<string> {
  const _id = newId('listingImport');
  await collection('listing_imports').insertOne({
    _id,
    installationId,
    dealerId,
    format: 'csv',
    mode: 'upsert',
    dryRun: false,
    state: 'completed',
    totalRows: 0,
    counts: { rows: 0, created: 0, updated: 0, unchanged: 0, archived: 0, failed: 0 },
    version: 1,
    createdAt: new Date(),
  });
  return _id;
}

/** Stock and feeds. */
export const stockOperations: readonly Operation[] = [
  {
    field: 'Mutation.upsertInventoryListing',
    rule: { kind: 'member', atLeast: 'agent' },
    scope: 'listings:write',
    selection: 'listing { id owner { id: ownerId } }',
    cases: onEach(
      items,
      (dealerId, { world }) => {
        const body = { title: 'A car of the stock', dealerLocationId: world.garage.locationIds[0] };
        return writing({ dealerId, stockNumber: newId('listing') }, body);
      },
      {
        meaning: (cell) => {
          if (isUnverified(cell)) return unverified;
          const { dealer }: Person = people[cell.who];
          return dealer?.only ? roleRequired : null;
        },
      },
    ),
  },
  {
    field: 'Mutation.openFeedUpload',
    rule: { kind: 'member', atLeast: 'manager' },
    scope: 'listings:write',
    selection: 'uploadToken',
    cases: onEach(items, (dealerId) => writing({ dealerId }, { contentType: 'text/csv' })),
  },
  {
    field: 'Mutation.startListingImport',
    rule: { kind: 'member', atLeast: 'manager' },
    scope: 'listings:write',
    selection: 'listingImport { id }',
    cases: onEach(
      items,
      async (dealerId, { isAnswered }) => {
        // A dealer has at most one running import.
        const ended = { $unset: { openFor: 1 } } as const;
        if (isAnswered)
          await collection('listing_imports').updateMany({ dealerId }, ended, { comment: ofTests });
        return writing({ dealerId }, { content: 'stockNumber\n', format: 'csv' }, { format: 'CSV' });
      },
      { meaning: onlyVerified },
    ),
  },
  {
    field: 'Query.listingImport',
    rule: { kind: 'member', atLeast: 'agent' },
    scope: 'listings:read',
    selection: 'id state',
    cases: onEach(items, async (dealerId, { world, isAnswered }) => {
      const here = world.shop.installation.id;
      const importId = isAnswered ? await storeImport(here, dealerId) : newId('listingImport');
      return reading({ dealerId, importId });
    }),
  },
  {
    field: 'Query.listingImports',
    rule: { kind: 'member', atLeast: 'agent' },
    scope: 'listings:read',
    selection: 'nodes { id dealerId }',
    cases: onEach(items, (dealerId) => reading({ dealerId })),
    check: (data, { item }) => {
      for (const each of data.nodes) expect(each.dealerId).toBe(item?.id);
    },
  },
];

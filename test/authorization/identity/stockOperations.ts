import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { collection } from '../collection.ts';
import { namesOf } from '../Item.ts';
import { isUnverified, unverified } from '../meanings.ts';
import type { Case, Cell, Operation } from '../Operation.ts';
import { people } from '../people.ts';

const items = namesOf('dealer');

/** The same call for every dealer. */
function casesOf(body: object, prepare: (cell: Cell) => Promise<void> = async () => undefined): Case[] {
  return items.map((item) => ({
    item,
    call: async (cell) => {
      if (cell.isAnswered) await prepare(cell);
      const dealerId = cell.item?.id ?? '';
      return { variables: { input: { dealerId, ...body } }, path: { dealerId }, body };
    },
  }));
}

/** A dealer has one running import: that of the call before does not count here. */
async function endImports({ item }: Cell): Promise<void> {
  await collection('listing_imports').updateMany({ dealerId: item?.id }, { $unset: { openFor: 1 } });
}

async function storeImport({ item, world }: Cell): Promise<string> {
  const _id = newId('listingImport');
  await collection('listing_imports').insertOne({
    _id,
    installationId: world.shop.installation.id,
    dealerId: item?.id,
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
    source: 'agent; 403 email_unverified; 2.4: an agent only at his locations',
    rule: { kind: 'member', atLeast: 'agent' },
    scope: 'listings:write',
    routes: { 'PUT /api/v1/dealers/{dealerId}/inventory/{stockNumber}': 201 },
    selection: 'listing { id owner { id } }',
    cases: items.map((item) => ({
      item,
      call: ({ item, world }) => {
        const dealerId = item?.id ?? '';
        const stockNumber = newId('listing');
        const body = { title: 'A car of the stock', dealerLocationId: world.garage.locationIds[0] };
        return {
          variables: { input: { dealerId, stockNumber, ...body } },
          path: { dealerId, stockNumber },
          body,
        };
      },
      meaning: (cell) => {
        if (isUnverified(cell)) return unverified;
        const { dealer } = people[cell.who] as { dealer?: { only?: string } };
        return dealer?.only ? { status: 403, code: 'dealer_role_required' } : null;
      },
    })),
  },
  {
    field: 'Mutation.openFeedUpload',
    source: 'manager; the first half of its upload',
    rule: { kind: 'member', atLeast: 'manager' },
    scope: 'listings:write',
    selection: 'uploadToken',
    cases: casesOf({ contentType: 'text/csv' }),
  },
  {
    field: 'Mutation.startListingImport',
    source: 'manager; 403 email_unverified',
    rule: { kind: 'member', atLeast: 'manager' },
    scope: 'listings:write',
    routes: { 'POST /api/v1/dealers/{dealerId}/listing-imports': 202 },
    selection: 'listingImport { id }',
    cases: casesOf({ content: 'stockNumber\n', format: 'CSV' }, endImports).map((entry) => ({
      ...entry,
      call: async (cell) => {
        const call = await entry.call(cell);
        return { ...call, body: { content: 'stockNumber\n', format: 'csv' } };
      },
      meaning: (cell) => (isUnverified(cell) ? unverified : null),
    })),
  },
  {
    field: 'Query.listingImport',
    source: 'agent',
    rule: { kind: 'member', atLeast: 'agent' },
    scope: 'listings:read',
    routes: { 'GET /api/v1/dealers/{dealerId}/listing-imports/{importId}': 200 },
    selection: 'id state',
    cases: items.map((item) => ({
      item,
      call: async (cell) => {
        const dealerId = cell.item?.id ?? '';
        const importId = cell.isAnswered ? await storeImport(cell) : newId('listingImport');
        return { variables: { dealerId, importId }, path: { dealerId, importId } };
      },
    })),
  },
];

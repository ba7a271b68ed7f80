import { Schema } from 'mongoose';
import { product } from '../../../test/support/product.ts';
import { countCommands } from '../../../test/support/stack/countCommands.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { type ScopedRecord, scoped } from '../installation/scoped.ts';
import { defineModel } from '../mongo/defineModel.ts';
import { createSecrets } from '../secrets/deriveSecret.ts';
import { findPage } from './findPage.ts';

interface Car extends ScopedRecord {
  price: number | null;
  createdAt: Date;
}
type Sort = readonly { key: 'price' | 'createdAt'; direction: 1 | -1 }[];

product();
const CarModel = defineModel<Car>('cars', new Schema<Car>({ _id: String, price: Number, createdAt: Date }));
const secrets = createSecrets(Buffer.alloc(32, 7));
const cars = scoped(CarModel, 'ins_a');
let now = Date.UTC(2026, 4, 2);

beforeAll(() =>
  cars.insertAbsent(
    Array.from({ length: 23 }, (_, index) => ({
      _id: String(index).padStart(2, '0'),
      price: index % 4,
      createdAt: new Date(now - index * 1000),
    })),
  ),
);

const as = (id: string, installationId = 'ins_a') =>
  ({
    installationId,
    viewerOrNull: { id },
    platform: { secrets, now: () => now },
  }) as unknown as RequestContext;
const byPrice: Sort = [{ key: 'price', direction: 1 }];
const find = (changes: Partial<Parameters<typeof findPage<Car>>[0]> = {}) =>
  findPage({ context: as('usr_1'), collection: cars, filter: {}, sort: byPrice, ...changes });

async function readAll(sort: Sort, first: number): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const { nodes, pageInfo }: Awaited<ReturnType<typeof find>> = await find({ sort, first, after });
    ids.push(...nodes.map(({ _id }) => _id));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  return ids;
}

test('a full page that contains the last record has no next page', async () => {
  const { nodes, pageInfo } = await find({ first: 23 });
  expect(nodes).toHaveLength(23);
  expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  expect((await find({ first: 23, after: pageInfo.endCursor })).nodes).toEqual([]);
  expect((await find({ first: 22 })).pageInfo.hasNextPage).toBe(true);
});

test('a page that starts after the cursor of an entry begins with the next one', async () => {
  const { nodes, pageInfo } = await find({ first: 5 });
  expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([expect.any(String), expect.any(String)]);
  const next = await find({ first: 5, after: pageInfo.cursorAt(2) });
  expect(next.pageInfo.hasPreviousPage).toBe(true);
  expect(next.nodes.slice(0, 2)).toEqual(nodes.slice(3));
});

const latest: Sort = [{ key: 'createdAt', direction: -1 }];
test.each<[string, Sort]>([
  ['in ascending order of price', byPrice],
  ['in descending order of price', [{ key: 'price', direction: -1 }]],
  ['in descending order of creation', latest],
  ['in the order of two keys', [{ key: 'price', direction: -1 }, ...latest]],
])('pages of any size contain each record once, %s', async (_, sort) => {
  const whole = await readAll(sort, 100);
  expect(new Set(whole).size).toBe(23);
  for (const size of [1, 5, 22, 23]) expect(await readAll(sort, size)).toEqual(whole);
});

test('a page is read by one command and has 20 entries by default', async () => {
  for (const first of [1, 10, 100]) {
    const { commands } = await countCommands(() => find({ first }));
    // Concurrent writes of the stack, for example of audit events, are not commands of the page.
    expect(commands.filter((command) => command.endsWith(' cars'))).toEqual(['find cars']);
  }
  expect((await find()).nodes).toHaveLength(20);
  expect((await find({ first: 1000 })).nodes).toHaveLength(23);
  await expect(find({ first: 0 })).rejects.toMatchObject({ code: 'malformed_request' });
});

test('a cursor is refused for another caller, installation or filter, if it is changed, and after one day', async () => {
  const { endCursor } = (await find({ first: 5 })).pageInfo;
  const after = endCursor ?? '';
  const refusals = [
    { context: as('usr_2') },
    { context: as('usr_1', 'ins_b') },
    { filter: { price: 1 } },
    { after: `${after.slice(0, -2)}AA` },
    { after: 'junk' },
  ];
  for (const other of refusals)
    await expect(find({ first: 5, after, ...other })).rejects.toMatchObject({ code: 'invalid_cursor' });
  now += 24 * 3600 * 1000 + 1;
  await expect(find({ first: 5, after })).rejects.toMatchObject({ code: 'invalid_cursor' });
});

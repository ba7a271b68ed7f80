import { Schema } from 'mongoose';
import { connectTestDatabase } from '../../../test/support/connectTestDatabase.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { type ScopedRecord, scoped } from '../installation/scoped.ts';
import { countCommands } from '../mongo/countCommands.ts';
import { defineModel } from '../mongo/defineModel.ts';
import { createSecrets } from '../secrets/deriveSecret.ts';
import { findPage } from './findPage.ts';

interface Car extends ScopedRecord {
  price: number | null;
  createdAt: Date;
}

const CarModel = defineModel<Car>('cars', new Schema<Car>({ _id: String, price: Number, createdAt: Date }));
const secrets = createSecrets(Buffer.alloc(32, 7));
const cars = scoped(CarModel, 'ins_a');
let database: Awaited<ReturnType<typeof connectTestDatabase>>;
let now = Date.UTC(2026, 4, 2);

beforeAll(async () => {
  database = await connectTestDatabase();
  for (let index = 0; index < 23; index++) {
    const _id = String(index).padStart(2, '0');
    await cars.insert({ _id, price: index % 4, createdAt: new Date(now - index * 1000) });
  }
});
afterAll(() => database.close());

function as(id: string | null, installationId = 'ins_a'): RequestContext {
  return {
    installationId,
    viewerOrNull: id === null ? null : { id },
    platform: { secrets, now: () => now },
  } as unknown as RequestContext;
}

async function readAll(
  sort: { key: 'price' | 'createdAt'; direction: 1 | -1 }[],
  first: number,
): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof findPage<Car>>> = await findPage({
      context: as('usr_1'),
      collection: cars,
      filter: {},
      sort,
      first,
      after,
    });
    ids.push(...page.nodes.map(({ _id }) => _id));
    after = page.pageInfo.endCursor;
    expect(page.pageInfo.hasNextPage).toBe(after !== null);
  } while (after !== null);
  return ids;
}

test.each([
  ['by price upwards', [{ key: 'price', direction: 1 }]],
  ['by price downwards', [{ key: 'price', direction: -1 }]],
  ['by time', [{ key: 'createdAt', direction: -1 }]],
  [
    'by two keys',
    [
      { key: 'price', direction: -1 },
      { key: 'createdAt', direction: 1 },
    ],
  ],
] as const)('pages of any size hold every record once, in one order, %s', async (_, sort) => {
  const whole = await readAll([...sort], 100);
  expect(new Set(whole).size).toBe(23);
  for (const size of [1, 5, 22, 23]) expect(await readAll([...sort], size)).toEqual(whole);
});

test('a page is one command, whatever its size', async () => {
  const request = {
    context: as('usr_1'),
    collection: cars,
    filter: {},
    sort: [{ key: 'price', direction: 1 }] as const,
  };
  for (const first of [1, 10, 100]) {
    const { commands } = await countCommands(() => findPage({ ...request, first }));
    expect(commands).toEqual(['find cars']);
  }
});

test('a page has 20 entries unless asked, and never more than 100', async () => {
  const request = {
    context: as('usr_1'),
    collection: cars,
    filter: {},
    sort: [{ key: 'price', direction: 1 }] as const,
  };
  expect((await findPage(request)).nodes).toHaveLength(20);
  expect((await findPage({ ...request, first: 1000 })).nodes).toHaveLength(23);
  await expect(findPage({ ...request, first: 0 })).rejects.toMatchObject({ code: 'malformed_request' });
});

test('a cursor is refused to other callers, in other installations, for other filters, altered, and after a day', async () => {
  const request = { collection: cars, filter: {}, sort: [{ key: 'price', direction: 1 }] as const, first: 5 };
  const { pageInfo } = await findPage({ ...request, context: as('usr_1') });
  const after = pageInfo.endCursor ?? '';
  const refused = { code: 'invalid_cursor' };
  await expect(findPage({ ...request, after, context: as('usr_2') })).rejects.toMatchObject(refused);
  await expect(findPage({ ...request, after, context: as('usr_1', 'ins_b') })).rejects.toMatchObject(refused);
  await expect(
    findPage({ ...request, after, context: as('usr_1'), filter: { price: 1 } }),
  ).rejects.toMatchObject(refused);
  await expect(
    findPage({ ...request, after: `${after.slice(0, -2)}AA`, context: as('usr_1') }),
  ).rejects.toMatchObject(refused);
  await expect(findPage({ ...request, after: 'junk', context: as('usr_1') })).rejects.toMatchObject(refused);
  now += 24 * 3600 * 1000 + 1;
  await expect(findPage({ ...request, after, context: as('usr_1') })).rejects.toMatchObject(refused);
});

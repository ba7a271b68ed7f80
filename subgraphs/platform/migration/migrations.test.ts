import mongoose from 'mongoose';
import pino from 'pino';
import { connectTestDatabase } from '../../../test/support/stack/connectTestDatabase.ts';
import { defineModel } from '../mongo/defineModel.ts';
import { openedDatabase } from '../mongo/openedDatabase.ts';
import { applyMigrations } from './applyMigrations.ts';
import type { Migration } from './Migration.ts';
import { MigrationModel } from './model.ts';
import { planMigrations } from './planMigrations.ts';
import { requireSchema } from './requireSchema.ts';

interface BoatRecord {
  _id: string;
  installationId: string;
  name: string;
}

const schema = new mongoose.Schema<BoatRecord>({ _id: String, name: { type: String, required: true } });
const BoatModel = defineModel<BoatRecord>(
  'boats',
  schema.index({ installationId: 1, name: 1 }, { unique: true }).index({ installationId: 1, _id: 1 }),
);
const models = [BoatModel, MigrationModel];
const log = pino({ level: 'silent' });
const lines: string[] = [];
const apply = (migrations: readonly Migration[], contract = false) =>
  applyMigrations({ models, migrations }, { log, contract, progress: (line) => lines.push(line) });
const plan = (migrations: readonly Migration[] = []) =>
  planMigrations(openedDatabase(), { models, migrations });
const boats = () => openedDatabase().collection<{ _id: string; changes?: number }>('boats');
const storeBoats = (count: number) =>
  boats().insertMany(
    Array.from({ length: count }, (_, at) => ({
      _id: `boat_${String(at).padStart(5, '0')}`,
      installationId: 'ins_1',
      name: `Boat ${at}`,
    })),
  );
const migration = (id: string, own: Partial<Migration> = {}): Migration => ({
  id,
  about: 'Changes boats.',
  phase: 'expand',
  run: async () => undefined,
  ...own,
});
/** Counts for each boat how often it was changed. */
const counted = (id: string, isInterrupted: () => boolean = () => false) =>
  migration(id, {
    run: ({ eachBatch }) =>
      eachBatch('boats', {}, async (batch) => {
        if (isInterrupted()) throw new Error('interrupted');
        const _id = { $in: batch.map((boat) => String(boat._id)) };
        await boats().updateMany({ _id }, { $inc: { changes: 1 } });
      }),
  });

let database: Awaited<ReturnType<typeof connectTestDatabase>>;
beforeAll(async () => {
  database = await connectTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  lines.length = 0;
  await openedDatabase().dropDatabase();
});

test('a new database gets all collections and indexes, and no migration runs on it', async () => {
  const drop = migration('boats/0001-drop', { phase: 'contract', run: () => Promise.reject(new Error()) });
  expect((await plan()).collections.map(({ collection }) => collection.name)).toEqual([
    'boats',
    'migrations',
  ]);
  await apply([migration('boats/0002-add', { run: () => Promise.reject(new Error()) }), drop]);
  expect(await plan([drop])).toMatchObject({ collections: [], indexes: [], contract: [], expand: [] });
  const records = await MigrationModel.find({}).sort({ _id: 1 }).lean();
  expect(records).toMatchObject([
    { _id: 'boats/0001-drop', appliedAt: expect.any(Date) },
    { _id: 'boats/0002-add', appliedAt: expect.any(Date) },
  ]);
});

test('a process does not start without an index or an expand migration, until they are applied', async () => {
  await storeBoats(3);
  const add = counted('boats/0001-count');
  const required = { models, migrations: [add] };
  await expect(requireSchema(required)).rejects.toThrow(
    /lacks what this release requires: collection migrations; index boats \(installationId, name\), unique; index boats \(installationId, _id\); and 1 more\. Run npm run migrate -- apply/,
  );
  await apply([add]);
  expect(await requireSchema(required)).toEqual([]);
  expect(lines).toEqual(
    expect.arrayContaining([
      'migrations: index 1 of 2: boats (installationId, name), unique',
      'migrations: boats/0001-count: 3 documents of boats',
      'migrations: boats/0001-count is applied',
    ]),
  );
});

test('an index with the same members and other options is a conflict that names the index', async () => {
  await boats().createIndex({ installationId: 1, name: 1 });
  const refusal = /same members and other options: boats \(installationId, name\), unique\. Drop them/;
  await expect(apply([])).rejects.toThrow(refusal);
  await expect(requireSchema({ models, migrations: [] })).rejects.toThrow(refusal);
  await boats().dropIndex('installationId_1_name_1');
  await apply([]);
  expect(await requireSchema({ models, migrations: [] })).toEqual([]);
});

test('an interrupted migration continues after its last batch, and changes each record once', async () => {
  await storeBoats(1201);
  let batches = 0;
  const failing = counted('boats/0001-count', () => (batches += 1) === 2);
  await expect(apply([failing])).rejects.toThrow('interrupted');
  expect(await MigrationModel.findById('boats/0001-count').lean()).toMatchObject({
    appliedAt: null,
    documents: 500,
  });
  await apply([failing]);
  expect(await boats().countDocuments({ changes: 1 })).toBe(1201);
  expect(await MigrationModel.findById('boats/0001-count').lean()).toMatchObject({
    appliedAt: expect.any(Date),
    documents: 1201,
  });
});

test('two processes that apply migrations at once run each migration once', async () => {
  await storeBoats(700);
  const migrations = [counted('boats/0001-count'), counted('boats/0002-count')];
  await Promise.all([apply(migrations), apply(migrations)]);
  expect(await boats().countDocuments({ changes: 2 })).toBe(700);
}, 20_000);

test('a contract migration waits for its order, and refuses releases that do not know it afterwards', async () => {
  await storeBoats(1);
  const drop = migration('boats/0001-drop', { phase: 'contract' });
  await apply([drop]);
  expect(await requireSchema({ models, migrations: [drop] })).toEqual([
    expect.stringMatching(/^migrations: boats\/0001-drop can be applied after .* --contract\)$/),
  ]);
  expect(await requireSchema({ models, migrations: [] })).toEqual([]);
  await apply([drop], true);
  expect(await requireSchema({ models, migrations: [drop] })).toEqual([]);
  const older = requireSchema({ models, migrations: [] });
  await expect(older).rejects.toThrow(/A later release has removed .* \(boats\/0001-drop\)\. Start that/);
  await expect(apply([])).rejects.toThrow(/A later release has removed/);
});

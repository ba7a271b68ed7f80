import mongoose from 'mongoose';
import pino from 'pino';
import { connectTestDatabase } from '../../../test/support/stack/connectTestDatabase.ts';
import { openedDatabase } from '../mongo/openedDatabase.ts';
import type { IndexedModel } from '../mongo/syncIndexes.ts';
import { applyMigrations } from './applyMigrations.ts';
import type { Migration, MigrationWork } from './Migration.ts';
import { MigrationModel } from './model.ts';
import { requireSchema } from './requireSchema.ts';

/*
 * Two releases on one database. The later one finds yachts by `nameKey`, which the earlier one does not write: `expand` adds
 * it to what exists, and `contract` adds it to what the earlier release has written since.
 */

const { Schema } = mongoose;
const strict = { strict: 'throw', autoIndex: false, autoCreate: false, versionKey: false } as const;
const name = { type: String, required: true };
const earlierSchema = new Schema({ _id: String, name }, strict);
const laterSchema = new Schema({ _id: String, name, nameKey: String }, strict).index({ nameKey: 1, _id: 1 });
const addKeys = ({ eachBatch }: MigrationWork) =>
  eachBatch('yachts', { nameKey: { $exists: false } }, async (batch) => {
    await openedDatabase()
      .collection('yachts')
      .bulkWrite(
        batch.map((yacht) => ({
          updateOne: {
            filter: { _id: yacht._id, name: yacht.name },
            update: { $set: { nameKey: String(yacht.name).toLowerCase() } },
          },
        })),
      );
  });
const migrations: Migration[] = [
  { id: 'yachts/0001-add-keys', about: 'Adds keys to yachts.', phase: 'expand', run: addKeys },
  { id: 'yachts/0002-add-late-keys', about: 'Adds keys to late yachts.', phase: 'contract', run: addKeys },
];

let database: Awaited<ReturnType<typeof connectTestDatabase>>;
const releases: mongoose.Mongoose[] = [];
/** Opens a release in a connection of its own, as another process does. */
const openRelease = async (schema: mongoose.Schema) => {
  const release = new mongoose.Mongoose();
  releases.push(release);
  await release.connect(database.uri, { dbName: database.name, autoIndex: false, autoCreate: false });
  return release.model('yachts', schema, 'yachts');
};
beforeAll(async () => {
  database = await connectTestDatabase();
});
afterAll(async () => {
  await Promise.all(releases.map((release) => release.disconnect()));
  await database.close();
});

test('two releases read and write the same records while migrations run, without an error', async () => {
  const [earlier, later] = [await openRelease(earlierSchema), await openRelease(laterSchema)];
  await earlier.insertMany(
    Array.from({ length: 1500 }, (_, at) => ({ _id: `old_${at}`, name: `Old ${at}` })),
  );
  const required = { models: [later as unknown as IndexedModel, MigrationModel], migrations };
  const apply = (contract: boolean) =>
    applyMigrations(required, { log: pino({ level: 'silent' }), contract, progress: () => undefined });
  let written = 0;
  const migrated = new AbortController();
  const work = async (release: 'earlier' | 'later') => {
    const model = release === 'earlier' ? earlier : later;
    while (!migrated.signal.aborted) {
      const [_id, shown] = [`${release}_${written}`, `New ${(written += 1)}`];
      const key = release === 'earlier' ? {} : { nameKey: shown.toLowerCase() };
      await model.create({ _id, name: shown, ...key });
      expect(await model.findOne({ _id }).lean()).toMatchObject({ name: shown });
      await model.updateOne({ _id }, { $set: { name: shown, ...key } });
    }
  };
  const workers = [work('earlier'), work('later')];
  await expect(requireSchema(required)).rejects.toThrow(/migration yachts\/0001-add-keys|index yachts/);
  await apply(false);
  expect(await requireSchema(required)).toHaveLength(1);
  migrated.abort();
  await Promise.all(workers);
  await apply(true);
  expect(await requireSchema(required)).toEqual([]);
  expect(await later.countDocuments({ nameKey: { $type: 'string' } })).toBe(1500 + written);
  expect(await later.findOne({ nameKey: 'old 1499' }).lean()).toMatchObject({ name: 'Old 1499' });
}, 20_000);

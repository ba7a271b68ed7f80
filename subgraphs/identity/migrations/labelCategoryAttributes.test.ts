import pino from 'pino';
import { connectTestDatabase } from '../../../test/support/stack/connectTestDatabase.ts';
import { applyMigrations } from '../../platform/migration/applyMigrations.ts';
import { MigrationModel } from '../../platform/migration/model.ts';
import { openedDatabase } from '../../platform/mongo/openedDatabase.ts';
import { labelCategoryAttributes } from './0002-label-category-attributes.ts';

let database: Awaited<ReturnType<typeof connectTestDatabase>>;
beforeAll(async () => {
  database = await connectTestDatabase();
});
afterAll(() => database.close());

test('the migration labels the default categories of every installation, and no other category', async () => {
  const attributeSchema = {
    type: 'object',
    properties: { fuel: { type: 'string', enum: ['petrol', 'diesel'] } },
    required: ['fuel'],
    additionalProperties: false,
  };
  const categories = openedDatabase().collection<{ _id: string; [member: string]: unknown }>('categories');
  await categories.insertMany([
    { _id: 'cat_1', installationId: 'ins_1', slug: 'cars', attributeSchema },
    { _id: 'cat_2', installationId: 'ins_2', slug: 'motorcycles', attributeSchema },
    { _id: 'cat_3', installationId: 'ins_2', slug: 'stoves', attributeSchema },
    { _id: 'cat_4', installationId: 'ins_2', slug: 'cars', attributeSchema: null },
  ]);
  await applyMigrations(
    { models: [MigrationModel], migrations: [labelCategoryAttributes] },
    { log: pino({ level: 'silent' }), progress: () => undefined, contract: true },
  );
  const found = await categories.find({}).sort({ _id: 1 }).toArray();
  const valueLabels = {
    petrol: expect.objectContaining({ de: 'Benzin' }),
    diesel: expect.objectContaining({ es: 'diésel' }),
  };
  const labelled = (productType: string) => ({
    ...attributeSchema,
    productType,
    properties: { fuel: { ...attributeSchema.properties.fuel, valueLabels } },
  });
  expect(found.map((category) => category.attributeSchema)).toEqual([
    labelled('Car'),
    labelled('Motorcycle'),
    attributeSchema,
    null,
  ]);
});

import { runCommands } from '../app/commands/runCommands.ts';
import { loadBuilders } from '../app/product/loadBuilders.ts';
import { migrations } from '../app/product/migrations.ts';
import { applyMigrations } from '../subgraphs/platform/migration/applyMigrations.ts';
import type { RequiredSchema } from '../subgraphs/platform/migration/Migration.ts';
import { MigrationModel } from '../subgraphs/platform/migration/model.ts';
import { describeIndex, isDone, planMigrations } from '../subgraphs/platform/migration/planMigrations.ts';
import { openedDatabase } from '../subgraphs/platform/mongo/openedDatabase.ts';
import { platformModels } from '../subgraphs/platform/process/platformModels.ts';

/** Returns what a deployment of all subgraphs requires. */
async function required(): Promise<RequiredSchema> {
  const subgraphs = Object.values(await loadBuilders()).map((build) => build());
  return { models: [...platformModels, ...subgraphs.flatMap(({ models }) => models)], migrations };
}

/** `npm run migrate -- plan|apply|status`: the step of a deployment that prepares the database for a release. */
await runCommands(
  'migrate',
  `Prepares the database for this release: collections, indexes and migrations. The processes of the previous release may
run meanwhile.`,
  {
    plan: {
      usage: '                 what is missing, without changing anything',
      async run({ print }) {
        const plan = await planMigrations(openedDatabase(), await required());
        for (const { collection } of plan.collections) print(`create collection ${collection.name}`);
        for (const planned of plan.indexes) print(`create index ${describeIndex(planned)}`);
        for (const planned of plan.conflicts) print(`conflict: index ${describeIndex(planned)}`);
        for (const { id, about } of plan.expand) print(`expand ${id}: ${about}`);
        for (const { id, about } of plan.contract) print(`contract ${id}: ${about}`);
        for (const id of plan.fromLater) print(`refused: ${id} belongs to a later release`);
        if (isDone(plan, { contract: true })) print('nothing to do');
      },
    },
    apply: {
      usage: '[--contract]  applies it; --contract: also removes what only the previous release needs',
      options: { contract: { type: 'boolean' } },
      async run({ print, values }) {
        const contract = values.contract === true;
        const left = await applyMigrations(await required(), { log: console, progress: print, contract });
        print('the database is ready for this release');
        for (const line of left) print(line);
      },
    },
    status: {
      usage: '               all migrations of this database: state, dates, documents',
      async run({ print }) {
        const records = await MigrationModel.find({}).sort({ startedAt: 1, _id: 1 }).lean();
        if (records.length === 0) print('no migration was applied yet');
        for (const { _id, phase, startedAt, appliedAt, documents } of records) {
          const state = appliedAt ? `applied ${appliedAt.toISOString()}` : 'not finished';
          print(`${_id}  ${phase}  begun ${startedAt.toISOString()}  ${state}  ${documents} documents`);
        }
      },
    },
  },
);

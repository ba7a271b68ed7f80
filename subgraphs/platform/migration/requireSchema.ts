import { openedDatabase } from '../mongo/openedDatabase.ts';
import type { RequiredSchema } from './Migration.ts';
import { describeIndex, type MigrationPlan, planMigrations } from './planMigrations.ts';

/**
 * Checks at the start of a process that the database has what this release requires. Pending contract migrations are no
 * fault, because processes of the previous release may still run.
 *
 * @returns lines for the user who started the process
 * @throws Error with the remedy if the database is older or newer than this release
 */
export async function requireSchema(required: RequiredSchema): Promise<readonly string[]> {
  const plan = await planMigrations(openedDatabase(), required);
  refuseLater(plan);
  refuseConflicts(plan);
  const missing = [
    ...plan.collections.map(({ collection }) => `collection ${collection.name}`),
    ...plan.indexes.map((planned) => `index ${describeIndex(planned)}`),
    ...plan.expand.map(({ id }) => `migration ${id}`),
  ];
  if (missing.length > 0)
    throw new Error(
      `The database lacks what this release requires: ${shorten(missing)}. Run npm run migrate -- apply with the settings ` +
        'of this process, then start it again. MIGRATE_ON_START=on does this at every start.',
    );
  return contractNotices(plan);
}

/** Returns lines about contract migrations that were not applied yet. */
export function contractNotices({ contract }: Pick<MigrationPlan, 'contract'>): readonly string[] {
  if (contract.length === 0) return [];
  const ids = contract.map(({ id }) => id);
  return [
    `migrations: ${shorten(ids)} can be applied after the last process of the previous release has ended (npm run migrate -- apply --contract)`,
  ];
}

/** Throws if a later release has removed what this one needs. */
export function refuseLater({ fromLater }: Pick<MigrationPlan, 'fromLater'>): void {
  if (fromLater.length === 0) return;
  throw new Error(
    `A later release has removed what this release needs from the database (${shorten(fromLater)}). Start that release, or restore a backup made before.`,
  );
}

/** Throws if an index would have to be replaced. */
export function refuseConflicts({ conflicts }: Pick<MigrationPlan, 'conflicts'>): void {
  if (conflicts.length === 0) return;
  throw new Error(
    `The database has indexes with the same members and other options: ${shorten(conflicts.map(describeIndex))}. Drop them, then run npm run migrate -- apply.`,
  );
}

/** The first three, and the number of the others. */
function shorten(names: readonly string[]): string {
  const shown = names.slice(0, 3).join('; ');
  return names.length > 3 ? `${shown}; and ${names.length - 3} more` : shown;
}

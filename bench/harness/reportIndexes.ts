import mongoose from 'mongoose';
import { namesIn } from '../../test/support/stack/indexesOf.ts';
import { report } from './report.ts';

/** Reports the indexes that the database uses for the commands of the embedded catalogue search. */
export async function reportIndexes(): Promise<void> {
  const copies = mongoose.connection.collection<{ _id: string; installationId: string }>('catalog_listings');
  const some = await copies.find({}).sort({ _id: 1 }).limit(20).toArray();
  const installationId = some[0]?.installationId;
  const page = { _id: { $in: some.map(({ _id }) => _id) }, installationId };
  const since = { installationId, changedAt: { $gt: new Date() } };
  const sort = { changedAt: 1, _id: 1 };
  for (const [name, command] of Object.entries({
    'a page': { find: 'catalog_listings', filter: page },
    'what was written since': { find: 'catalog_listings', filter: since, sort },
    'what was removed since': { find: 'catalog_removals', filter: since, sort },
  })) {
    const plan = await mongoose.connection.db?.command({ explain: command, verbosity: 'queryPlanner' });
    report(`index of ${name}`, [...new Set(namesIn(plan))].join(', ') || 'none');
  }
}

/**
 * The closed list of collections outside the installation scope, with the reason why each stays on one shard. Every other
 * collection demands `installationId`, which is also its shard key: `shardKey`.
 */
export const globalCollections: ReadonlyMap<string, string> = new Map([
  ['installations', 'a few records, which every process caches'],
  ['signing_keys', 'a few records, which every process caches'],
  ['issuers', 'a few records, which every process caches'],
  ['operators', 'a few records'],
  ['events', 'the positions of all events have one order; they are kept for a short time'],
  ['relay_cursors', 'one record for each source of events'],
  ['leases', 'one record for each subgraph'],
  ['migrations', 'one record for each migration'],
]);

/**
 * Shard key of every collection of an installation. Commands for one installation go to one shard, and unique indexes,
 * which begin with it, hold on every shard.
 */
export const shardKey = { installationId: 1 } as const;

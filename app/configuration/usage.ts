import { type Environment, integer, readAll, toggle } from './Setting.ts';

/** Settings of the usage ledger. */
export const usageSettings = {
  usageLedger: toggle('USAGE_LEDGER', {
    fallback: true,
    meaning: '`off`: the use of the API is not counted; see [API usage](../how-to/api-usage.md).',
  }),
  usageRetentionDays: integer('USAGE_RETENTION_DAYS', {
    fallback: 90,
    least: 1,
    most: 3650,
    meaning: 'Days after which counts of the usage ledger are deleted.',
  }),
  usageIntervalSeconds: integer('USAGE_INTERVAL_SECONDS', {
    fallback: 60,
    least: 1,
    most: 3600,
    meaning:
      'Time between two writes of the usage ledger. A process that is killed loses the counts of this time.',
  }),
};

export function readUsage(environment: Environment) {
  const { usageLedger, usageRetentionDays, usageIntervalSeconds } = readAll(usageSettings, environment);
  return {
    /** Settings of the usage ledger; undefined if it is off. */
    usage: usageLedger
      ? { retentionDays: usageRetentionDays, intervalMs: usageIntervalSeconds * 1000 }
      : undefined,
  };
}

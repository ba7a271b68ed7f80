import { scoped } from '../../platform/installation/scoped.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { leaseMs } from '../money/times.ts';
import { finishOperation } from './journal.ts';
import { LedgerBalanceModel } from './model.ts';

/** Whoever lives has finished by then. */
const graceMs = 5000;
const batchSize = 50;

/**
 * Finishes transactions whose process ended between the balance and the journal. Nothing is undone: a tag is written with
 * the balance, so what has one has happened.
 */
export const ledgerRecovery: Job = {
  name: 'identity.ledger-recovery',
  everyMs: 15_000,
  leaseMs,
  async run({ platform, signal, assertHeld }) {
    for (const { id: installationId } of platform.installations.all) {
      if (signal.aborted) return;
      await assertHeld();
      const before = new Date(platform.now() - graceMs);
      const left = await scoped(LedgerBalanceModel, installationId).find(
        { 'operations.at': { $lte: before, $type: 'date' } },
        { sort: { 'operations.at': 1 }, limit: batchSize },
      );
      for (const { _id, operations } of left)
        for (const operation of operations.filter(({ at }) => at <= before))
          await finishOperation({ installationId, platform }, _id, operation);
    }
  },
};

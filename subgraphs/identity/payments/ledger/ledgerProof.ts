import { recordSystemAudit } from '../../../platform/audit/recordAudit.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { Job, JobRun } from '../../../platform/jobs/Job.ts';
import { LedgerProofModel } from './model.ts';
import { proveLedger } from './proveLedger.ts';

/**
 * Proves the ledger of every installation once a day after midnight UTC. A mismatch is never corrected automatically:
 * it is logged and recorded in the audit events and in the proof that operators read.
 */
export const ledgerProof: Job = {
  name: 'identity.ledger-proof',
  everyMs: 15 * 60_000,
  async run(run) {
    for (const { id } of run.platform.installations.all) {
      if (run.signal.aborted) return;
      await prove(id, run);
    }
  },
};

async function prove(installationId: string, { platform, assertHeld }: JobRun): Promise<void> {
  const at = new Date(platform.now());
  const _id = `${installationId}:${at.toISOString().slice(0, 10)}`;
  const proofs = scoped(LedgerProofModel, installationId);
  if (await proofs.findOne({ _id }, { projection: { _id: 1 } })) return;
  const proof = await proveLedger(installationId, assertHeld);
  for (const mismatch of proof.mismatches) {
    platform.log.error({ installationId, ...mismatch }, 'ledger: a balance differs from the journal');
    await recordSystemAudit(
      { name: ledgerProof.name, installationId, at },
      {
        action: 'ledgerMismatch',
        target: { type: 'account', id: `${mismatch.account} ${mismatch.currency}` },
        reason: `balance ${mismatch.balance}, journal ${mismatch.journal}`,
      },
    );
  }
  await proofs.insertAbsent([{ _id, at, ...proof }]);
}

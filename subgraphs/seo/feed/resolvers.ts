import { outboxSource, relay } from '../../platform/events/relay.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { AcknowledgementModel, type StoredAcknowledgement } from '../ai/acknowledgement/model.ts';
import { describeSnapshots } from '../analysis/snapshot/markLatest.ts';
import { describeAuditJobs } from '../audits/job/jobEvent.ts';
import { AuditJobModel } from '../audits/job/model.ts';
import { SeoRecordModel } from '../pages/record/model.ts';

/** Describes acknowledgements. They belong to the installation, and are ordered by time. */
const describeAcknowledgements = async (acknowledgements: readonly StoredAcknowledgement[]) =>
  acknowledgements.map(({ installationId, acknowledgedAt, revokedAt }) => ({
    object: { type: 'installation' as const, id: installationId },
    contentVersion: (revokedAt ?? acknowledgedAt).getTime(),
    content: null,
  }));

/** Lists everything that the subgraph publishes. Each collection with an outbox has a line here. */
export const event: Resource = {
  jobs: [
    relay('seo', [
      outboxSource(AcknowledgementModel, describeAcknowledgements),
      outboxSource(AuditJobModel, describeAuditJobs, { without: ['items'] }),
      outboxSource(SeoRecordModel, describeSnapshots),
    ]),
  ],
};

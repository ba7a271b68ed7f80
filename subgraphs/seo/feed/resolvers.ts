import { outboxSource, relay } from '../../platform/events/relay.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { AcknowledgementModel, type StoredAcknowledgement } from '../ai/acknowledgement/model.ts';
import { describeSnapshots } from '../analysis/snapshot/markLatest.ts';
import { describeAuditJobs } from '../audits/job/jobEvent.ts';
import { AuditJobModel } from '../audits/job/model.ts';
import { SeoRecordModel } from '../pages/record/model.ts';

/** They are the installation's; the moment orders those of one installation. */
const describeAcknowledgements = async (acknowledgements: readonly StoredAcknowledgement[]) =>
  acknowledgements.map(({ installationId, acknowledgedAt, revokedAt }) => ({
    object: { type: 'installation' as const, id: installationId },
    contentVersion: (revokedAt ?? acknowledgedAt).getTime(),
    content: null,
  }));

/** Everything that the subgraph publishes: a collection with an outbox is a line here. */
export const event: Resource = {
  jobs: [
    relay('seo', [
      outboxSource(AcknowledgementModel, describeAcknowledgements),
      outboxSource(AuditJobModel, describeAuditJobs, { without: ['items'] }),
      outboxSource(SeoRecordModel, describeSnapshots),
    ]),
  ],
};

import { ReportModel } from '../../../subgraphs/identity/moderation/report/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';

/** Stores a unique report about a user and returns its id. */
export async function storeReport(installationId: string, userId: string): Promise<string> {
  const at = new Date();
  const _id = newId('report');
  await scoped(ReportModel, installationId).insert({
    _id,
    source: 'report',
    target: { type: 'user', id: userId },
    listingId: null,
    mediaIds: [],
    ownerId: userId,
    reason: 'fraud',
    text: null,
    url: null,
    reporterId: null,
    noticeId: null,
    openKey: _id,
    evidence: null,
    state: 'open',
    reviewedBy: null,
    resolution: null,
    resolvedAt: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  });
  return _id;
}

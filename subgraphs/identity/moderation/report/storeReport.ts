import { createHash } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { countReports } from '../../listings/listing/countReports.ts';
import { holdMedia } from '../../media/holdMedia.ts';
import { ReportModel, type ReportRecord } from './model.ts';

/** Fields of a new report. */
type NewReport = Pick<
  ReportRecord,
  | '_id'
  | 'source'
  | 'target'
  | 'listingId'
  | 'mediaIds'
  | 'ownerId'
  | 'reason'
  | 'text'
  | 'url'
  | 'reporterId'
  | 'noticeId'
  | 'evidence'
> & { openKey: string };

/**
 * Stores a report and counts it where its listing waits for moderators, in one transaction.
 *
 * @throws MongoDB's duplicate key of `openKey` while an earlier one of the same reporter is not resolved
 */
export async function storeReport(
  { installationId, platform }: { installationId: string; platform: Pick<Platform, 'now'> },
  report: NewReport,
  session: ClientSession,
): Promise<ReportRecord> {
  const at = new Date(platform.now());
  const stored = await scoped(ReportModel, installationId).insert(
    {
      ...report,
      state: 'open',
      reviewedBy: null,
      resolution: null,
      resolvedAt: null,
      version: 1,
      createdAt: at,
      updatedAt: at,
    },
    { session },
  );
  await holdMedia({ ...stored, type: 'report', id: stored._id }, session);
  if (report.listingId !== null)
    await countReports({ installationId, platform }, report.listingId, { [countOf(report)]: 1 }, session);
  return stored;
}

/** Returns the counter of a listing that a report increments. */
export function countOf({ target }: Pick<ReportRecord, 'target'>): 'reports' | 'appeals' {
  return target.type === 'decision' ? 'appeals' : 'reports';
}

/**
 * Returns the key that two reports of one reporter about one object share: a hash, so that it contains no address.
 *
 * @param reporter `usr_…`, or the address of a notice
 */
export function toOpenKey(reporter: string, { type, id }: ReportRecord['target']): string {
  return createHash('sha256')
    .update(JSON.stringify([reporter, type, id]))
    .digest('base64url');
}

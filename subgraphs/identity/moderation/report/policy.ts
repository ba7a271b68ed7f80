import type { QueryFilter } from 'mongoose';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import type { ReportRecord } from './model.ts';

/**
 * A member of the staff does not see reports about themselves or their dealer, and does not decide them; their own
 * appeals are decided by others as well.
 *
 * @throws AppError `four_eyes`
 */
export function assertFourEyes(viewer: Viewer, { ownerId }: Pick<ReportRecord, 'ownerId'>): void {
  if (ownerId === null || !ownersOf(viewer).includes(ownerId)) return;
  throw new AppError('four_eyes', 'This report concerns you, so another moderator must handle it.');
}

/** Exactly the reports that `assertFourEyes` lets pass. */
export function othersReports(viewer: Viewer): QueryFilter<ReportRecord> {
  return { ownerId: { $nin: ownersOf(viewer) } };
}

function ownersOf(viewer: Viewer): string[] {
  return [viewer.id, ...viewer.principal.memberships.map(({ dealerId }) => dealerId)];
}

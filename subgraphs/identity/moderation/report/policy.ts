import type { QueryFilter } from 'mongoose';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import type { ReportRecord } from './model.ts';

/**
 * Refuses access to reports that concern the viewer. Staff members neither see nor decide reports about themselves,
 * their dealer, or their own appeals.
 *
 * @throws AppError `four_eyes`
 */
export function assertFourEyes(viewer: Viewer, { ownerId }: Pick<ReportRecord, 'ownerId'>): void {
  if (ownerId === null || !ownersOf(viewer).includes(ownerId)) return;
  throw new AppError('four_eyes', 'This report concerns you, so another moderator must handle it.');
}

/** Returns a filter for exactly the reports that `assertFourEyes` accepts. */
export function othersReports(viewer: Viewer): QueryFilter<ReportRecord> {
  return { ownerId: { $nin: ownersOf(viewer) } };
}

function ownersOf(viewer: Viewer): string[] {
  return [viewer.id, ...viewer.principal.memberships.map(({ dealerId }) => dealerId)];
}

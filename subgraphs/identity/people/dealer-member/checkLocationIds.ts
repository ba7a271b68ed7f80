import type { FieldProblem } from '../../../../schema/Problem.ts';
import { problem } from '../../../platform/errors/AppError.ts';
import type { DealerRecord, StoredMember } from '../dealer/model.ts';

/** Returns the errors in the locations of a member. Managers and owners are responsible for all locations. */
export function checkLocationIds(
  { locations }: Pick<DealerRecord, 'locations'>,
  role: StoredMember['role'],
  locationIds: readonly string[],
): FieldProblem[] {
  if (locationIds.length > 0 && role !== 'agent')
    return [problem('#/locationIds', 'Only agents can be restricted to locations.')];
  const known = new Set(locations.map(({ id }) => id));
  return locationIds.flatMap((id, index) =>
    known.has(id) ? [] : [problem(`#/locationIds/${index}`, 'The dealer does not have this location.')],
  );
}

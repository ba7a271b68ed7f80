import type { FieldProblem } from '../../../schema/Problem.ts';
import { problem } from '../../platform/errors/AppError.ts';
import type { MediaReference } from './mediaLoader.ts';
import type { MediaRecord } from './model.ts';

/** Required owner and purpose of a referenced file. */
interface Wanted {
  ownerId: string;
  purpose: MediaRecord['purpose'];
  kind?: MediaRecord['kind'];
}

/**
 * Returns the errors in a reference to a file. A file of another owner, purpose or installation is treated as missing.
 */
export function checkReference(
  file: MediaReference | null,
  { ownerId, purpose, kind }: Wanted,
  pointer: string,
): FieldProblem[] {
  const isWanted =
    file?.state === 'ready' &&
    file.owner.id === ownerId &&
    file.purpose === purpose &&
    (kind === undefined || file.kind === kind);
  return isWanted ? [] : [problem(pointer, 'This file does not exist.')];
}

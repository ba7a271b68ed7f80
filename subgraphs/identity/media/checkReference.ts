import type { FieldProblem } from '../../../schema/Problem.ts';
import { problem } from '../../platform/errors/AppError.ts';
import type { MediaReference } from './mediaLoader.ts';
import type { MediaRecord } from './model.ts';

/** Requirements of a reference to a file. */
interface Wanted {
  ownerId: string;
  purpose: MediaRecord['purpose'];
  kind?: MediaRecord['kind'];
}

/** A file of another owner, of another purpose, or of another installation is refused like one that does not exist. */
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

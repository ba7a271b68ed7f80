import { invalidField } from '../../../platform/errors/AppError.ts';
import { findMarkdownFault } from '../../kernel/markdown/findMarkdownFault.ts';

const longestNote = 2000;

/**
 * Validates a note.
 *
 * @throws AppError `validation_failed` if it is too long or contains invisible characters
 */
export function assertNote(note: string | null): void {
  const fault = note === null ? null : findMarkdownFault(note, longestNote);
  if (fault) throw invalidField('#/note', fault);
}

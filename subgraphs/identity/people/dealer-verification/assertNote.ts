import { invalidField } from '../../../platform/errors/AppError.ts';
import { findMarkdownFault } from '../../kernel/markdown/findMarkdownFault.ts';

const longestNote = 2000;

/** @throws AppError `validation_failed` for a note that is too long or holds what people cannot see */
export function assertNote(note: string | null): void {
  const fault = note === null ? null : findMarkdownFault(note, longestNote);
  if (fault) throw invalidField('#/note', fault);
}

import { breaking, dangerous } from './Severity.ts';

/** Kinds of findings in the working tree itself; the path is a file of the project. */
export const documentKinds = {
  'composition-failed': breaking(
    'A composer rejects the subgraphs.',
    'Correct the subgraphs until both composers accept them.',
  ),
  'document-invalid': breaking(
    'An operation document is invalid for the schema.',
    'Correct the document, or keep what it uses.',
  ),
  'document-unplannable': breaking(
    'The query planner has no plan for an operation.',
    'Restore the key or field that connects the subgraphs of the operation.',
  ),
  'operation-removed': dangerous(
    'A registered operation was removed; clients that still send it are refused.',
  ),
} as const;

import { breaking, dangerous } from './Severity.ts';

/** Kinds of findings in the working tree itself; the path is a file of the project. */
export const documentKinds = {
  'composition-failed': breaking('A composer rejects the subgraphs.'),
  'document-invalid': breaking('An operation document is invalid for the schema.'),
  'document-unplannable': breaking('The query planner has no plan for an operation.'),
  'operation-removed': dangerous(
    'A registered operation was removed; clients that still send it are refused.',
  ),
} as const;

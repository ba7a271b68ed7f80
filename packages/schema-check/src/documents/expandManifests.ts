import { type Change, toChange } from '../Change.ts';
import type { SourceDocument } from '../Contract.ts';

/** Operations of files, and the files that are neither documents nor manifests. */
export interface ExpandedOperations {
  readonly operations: readonly SourceDocument[];
  readonly findings: readonly Change[];
}

/**
 * Replaces manifests of operations by their documents. A manifest is `{"<id>": "<document>"}`, as written by GraphQL
 * Code Generator and Relay, or `{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id",
 * "body"}]}`, as written by Apollo.
 */
export function expandManifests(files: readonly SourceDocument[]): ExpandedOperations {
  const operations: SourceDocument[] = [];
  const findings: Change[] = [];
  for (const { file, text } of files) {
    if (/\.(?:graphql|gql)$/.test(file)) operations.push({ file, text });
    else if (!file.endsWith('.json')) findings.push(toChange('document-invalid', file, unknownFile));
    else {
      const entries = readManifest(text);
      if (typeof entries === 'string') findings.push(toChange('document-invalid', file, entries));
      else operations.push(...entries.map(([id, document]) => ({ file, id, text: document })));
    }
  }
  return { operations, findings };
}

const unknownFile = 'The file is neither a document (.graphql, .gql) nor a manifest (.json) of operations.';

type Entry = readonly [id: string, document: string];

/** Returns the entries of a manifest, or the reason why it is none. */
function readManifest(text: string): Entry[] | string {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return 'The manifest is not JSON.';
  }
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest))
    return 'The manifest of operations must be an object.';
  const { format, version, operations } = manifest as Record<string, unknown>;
  const entries = format === undefined ? Object.entries(manifest) : toEntries(version, operations);
  if (entries === null) return `The manifest format ${JSON.stringify(format)} is not supported.`;
  const isComplete = entries.every(([id, body]) => typeof id === 'string' && typeof body === 'string');
  return isComplete ? (entries as Entry[]) : 'The manifest has an operation without an id or a document.';
}

function toEntries(version: unknown, operations: unknown): [unknown, unknown][] | null {
  if (version !== 1 || !Array.isArray(operations)) return null;
  return operations.map((entry: unknown) => {
    const { id, body } = (entry ?? {}) as { id?: unknown; body?: unknown };
    return [id, body];
  });
}

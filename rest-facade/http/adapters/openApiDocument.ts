import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defaultRestRoot } from '../../../schema/route/pathTemplate.ts';
import { type StoredDocument, toStoredDocument } from './storedDocument.ts';

const file = path.join(import.meta.dirname, '../../../schema/openapi.json');

/**
 * The committed contract with B and C where this deployment mounts them; read when it is first asked for, because most
 * processes never are.
 */
export function openApiDocument(restRoot: string): () => StoredDocument {
  let document: StoredDocument | undefined;
  return () => {
    document ??= toStoredDocument(
      'application/json',
      readFileSync(file, 'utf8').replaceAll(`"${defaultRestRoot}/`, `"${restRoot}/`),
      'public, max-age=300',
      { Vary: 'Authorization' },
    );
    return document;
  };
}

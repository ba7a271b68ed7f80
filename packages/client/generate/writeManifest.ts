import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as documents from '../src/graphql/documents.generated.ts';

/**
 * Writes the manifest of the package, a part of its build: every operation by the SHA-256 of its text, in the form in
 * which the service and the schema check read the operations of a frontend.
 */

const manifest = Object.values(documents).map(({ text }) => [
  createHash('sha256').update(text).digest('hex'),
  text,
]);
const file = path.join(import.meta.dirname, '../dist/persisted-documents.json');
writeFileSync(file, `${JSON.stringify(Object.fromEntries(manifest), null, 2)}\n`);

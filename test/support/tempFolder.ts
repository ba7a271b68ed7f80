import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Creates folders that are deleted after the tests of the file, or of the `describe` that calls it. */
export function tempFolders(): () => string {
  const created: string[] = [];
  afterAll(() => {
    for (const folder of created) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'trigate-test-'));
    created.push(folder);
    return folder;
  };
}

/** A folder that is deleted after the tests of the file, or of the `describe` that calls it. */
export function tempFolder(): string {
  return tempFolders()();
}

import { readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'browser');

/** Returns a script or style sheet of `site/browser/` as browsers get it, without a build step. */
export function readBrowserFile(name: string): string {
  return readFileSync(path.join(folder, name), 'utf8');
}

import { readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'browser');

/** A script or style sheet of `site/browser/`, as browsers get it: no step builds them. */
export function readBrowserFile(name: string): string {
  return readFileSync(path.join(folder, name), 'utf8');
}

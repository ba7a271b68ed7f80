import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Source } from './Source.ts';

/** Reads a contract from a folder. */
export function folderSource(directory: string): Source {
  return {
    name: directory,
    commit: null,
    async read(name) {
      const file = path.join(directory, name);
      return existsSync(file) ? readFileSync(file, 'utf8') : null;
    },
    async list(globs) {
      const files = globs.flatMap((glob) => globSync(glob, { cwd: directory }));
      return [...new Set(files)].map((file) => file.replaceAll(path.sep, '/')).sort();
    },
  };
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'embedded-db-';
const memoryFile = 'socket-directory';

/** A directory that only its owner can enter, for the Unix sockets of an engine. */
export interface SocketDirectory {
  readonly path: string;
  remove(): void;
}

/**
 * Creates the directory. It is outside of the data, because the path of a socket is limited to 107 bytes, projects may
 * be deeply nested, and some mounted directories do not support sockets. `dataDir` stores its path, so that the next
 * start removes what a killed process left.
 */
export function openSocketDirectory(dataDir: string): SocketDirectory {
  const memory = join(dataDir, memoryFile);
  try {
    const previous = readFileSync(memory, 'utf8');
    if (previous.includes(prefix)) rmSync(previous, { recursive: true, force: true });
  } catch {
    // the first start
  }
  const path = mkdtempSync(join(tmpdir(), prefix));
  writeFileSync(memory, path);
  return {
    path,
    remove() {
      rmSync(path, { recursive: true, force: true });
      rmSync(memory, { force: true });
    },
  };
}

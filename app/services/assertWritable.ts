import { access, constants, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates the folder of `DATA_DIR` if it does not exist.
 *
 * @throws Error with the remedy if it is a file, or this user may not write to it
 */
export async function assertWritable(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
  } catch (error) {
    const file = await findFile(path.resolve(dataDir));
    const { code } = error as NodeJS.ErrnoException;
    const problem =
      file === null ? `which cannot be created or written to (${code})` : `but "${file}" is a file`;
    throw new Error(`DATA_DIR is "${dataDir}", ${problem}; choose a folder that the process may write to.`, {
      cause: error,
    });
  }
}

/** Returns the part of a path that is a file; null without one. */
async function findFile(found: string): Promise<string | null> {
  const facts = await stat(found).catch(() => null);
  if (facts !== null) return facts.isDirectory() ? null : found;
  const parent = path.dirname(found);
  return parent === found ? null : findFile(parent);
}

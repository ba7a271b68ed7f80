import { access, constants, mkdir } from 'node:fs/promises';

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
    const { code } = error as NodeJS.ErrnoException;
    const problem =
      code === 'EEXIST' || code === 'ENOTDIR' ? 'a file' : `a folder that cannot be written to (${code})`;
    throw new Error(
      `DATA_DIR is "${dataDir}", which is ${problem}; it must be a folder that the process may write to.`,
      {
        cause: error,
      },
    );
  }
}

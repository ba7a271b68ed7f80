import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Maximum number of files in a folder, so that readers can survey it. */
export const mostFiles = 25;

/** Folders whose files are found by name and not by reading the folder. */
const exempt = /^(schema\/releases|test\/contract\/examples|test\/conformance)\b/;

/** A folder that directly holds too many files. */
export interface LargeFolder {
  readonly folder: string;
  readonly files: number;
}

/**
 * Folders of a Git repository that directly hold more than `mostFiles` tracked files.
 *
 * @param root the work tree
 */
export function findLargeFolders(root: string): LargeFolder[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  const files = listed.split('\0').filter((file) => file !== '' && !exempt.test(file));
  return Array.from(
    Map.groupBy(files, (file) => path.posix.dirname(file)),
    ([folder, own]) => ({ folder, files: own.length }),
  )
    .filter(({ files: count }) => count > mostFiles)
    .sort((one, other) => other.files - one.files);
}

import picomatch from 'picomatch';
import { type Base, listCommittedFiles, readCommittedFile } from '../git/git.ts';
import type { Source } from './Source.ts';

/** Reads a contract from a commit; paths are relative to the folder, which is anywhere in the repository. */
export function commitSource(directory: string, { ref, commit }: Base): Source {
  return {
    name: ref,
    commit,
    read: async (file) => readCommittedFile(directory, commit, file),
    async list(globs) {
      const matches = picomatch([...globs]);
      return globs.length > 0 ? listCommittedFiles(directory, commit).filter((file) => matches(file)) : [];
    },
  };
}

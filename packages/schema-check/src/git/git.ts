import { execFileSync } from 'node:child_process';
import { UsageError } from '../UsageError.ts';

/** The commit to compare with. */
export interface Base {
  /** Name of the commit, or how it was found. */
  readonly ref: string;
  readonly commit: string;
}

const maxFileBytes = 256 * 1024 * 1024;

/**
 * Finds the commit to compare with: the named one, otherwise the fork point from `origin/main`, the previous commit, or
 * the commit itself.
 *
 * @param directory of the project, anywhere in a git repository
 * @returns null if the repository has no commit yet
 * @throws UsageError if the name is unknown or there is no repository
 */
export function findBase(directory: string, ref: string | undefined): Base | null {
  if (git(directory, 'rev-parse', '--git-dir') === null) {
    throw new UsageError(
      `${directory} is not in a git repository. Run the check in a clone of the project, or choose a base with --base.`,
    );
  }
  if (ref !== undefined) {
    const commit = commitOf(directory, ref);
    if (commit !== null) return { ref, commit };
    throw new UsageError(
      `The commit "${ref}" does not exist in this clone. Fetch it (git fetch origin), or choose another base.`,
    );
  }
  const head = commitOf(directory, 'HEAD');
  if (head === null) return null;
  const fork = git(directory, 'merge-base', 'HEAD', 'origin/main')?.trim();
  // A check of only uncommitted changes must not be mistaken for a check of the branch.
  if (fork === head) return { ref: 'HEAD, which origin/main has: uncommitted changes only', commit: head };
  if (fork !== undefined) return { ref: 'merge base with origin/main', commit: fork };
  const parent = commitOf(directory, 'HEAD~1');
  if (parent !== null) return { ref: 'HEAD~1', commit: parent };
  return { ref: 'HEAD, which has no parent here: uncommitted changes only', commit: head };
}

/** Returns the hash of a commit, null if git does not know it or the folder is not in a repository. */
export function commitOf(directory: string, ref: string): string | null {
  // A ref never starts with a dash, which git would parse as an option.
  if (ref.startsWith('-')) return null;
  return git(directory, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`)?.trim() ?? null;
}

/** Returns the text of a file of a commit, null if the commit does not have it. */
export function readCommittedFile(directory: string, commit: string, file: string): string | null {
  return git(directory, 'show', `${commit}:./${file}`);
}

/** Returns the files of a commit below the folder, or below some folders of it. */
export function listCommittedFiles(directory: string, commit: string, ...folders: string[]): string[] {
  const listed = git(directory, 'ls-tree', '-r', '-z', '--name-only', commit, ...folders);
  return (listed ?? '').split('\0').filter(Boolean);
}

/** Returns the output of git, null if git fails. */
function git(directory: string, ...args: string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: directory,
      encoding: 'utf8',
      maxBuffer: maxFileBytes,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    if (error instanceof Error && 'status' in error && typeof error.status === 'number') return null;
    throw new UsageError('git cannot be started; install it and put it on PATH.', { cause: error });
  }
}

/** Remedy for a full storage. */
export const storageFullAdvice =
  'The storage is full. Repeat the request after the operator of the installation has freed space.';

/** Codes of the file system, of its quota, and of the database. */
const codes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 14_031]);

/** Returns whether a write failed because the file system or the database has no space left. */
export function isStorageFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codes.has(error.code);
}

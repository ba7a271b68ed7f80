import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Apt, AptPackage } from './Apt.ts';

const progressMs = 2_000;

/** Downloads packages, verifies their hashes, and reports the progress. Returns the paths of their files. */
export async function downloadPackages(
  apt: Apt,
  packages: readonly AptPackage[],
  progress: (line: string) => void,
): Promise<string[]> {
  const totalBytes = packages.reduce((sum, { bytes }) => sum + bytes, 0);
  const report = () => {
    const bytes = filesIn(apt.packagesDirectory).reduce((sum, path) => sum + statSync(path).size, 0);
    progress(
      `embedded database: downloaded ${megabytes(Math.min(bytes, totalBytes))} of ${megabytes(totalBytes)} MB`,
    );
  };
  report();
  const timer = setInterval(report, progressMs);
  const names = packages.map(({ name }) => name);
  try {
    await apt.download(names);
    // Apt treats a file with the right length as complete. An interrupted or manually copied file may not be.
    if (removeAllBut(apt.packagesDirectory, packages)) {
      await apt.download(names);
      if (removeAllBut(apt.packagesDirectory, packages))
        throw new Error('a downloaded package has the wrong hash');
    }
  } finally {
    clearInterval(timer);
  }
  report();
  return filesIn(apt.packagesDirectory);
}

/** Removes every file that is not one of the packages, byte for byte. True when a package is missing afterwards. */
function removeAllBut(directory: string, packages: readonly AptPackage[]): boolean {
  const missing = new Set(packages.map(({ sha256 }) => sha256));
  for (const path of filesIn(directory)) {
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    if (!missing.delete(sha256)) rmSync(path);
  }
  return missing.size > 0;
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(directory, entry.name));
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { addGuardPrefix } from '../guards/addGuardPrefix.ts';
import type { Release } from './Release.ts';

const ending = '.json.br';

/** Name of the current contract, which is not released yet. */
export const nextRelease = 'Next release';

/** Returns all stored releases, in ascending order. */
export function readReleases(folder: string): Release[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => readRelease(path.join(folder, file)))
    .sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : 1));
}

function readRelease(file: string): Release {
  const release = JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as Release;
  return { ...release, supergraph: addGuardPrefix(release.supergraph) };
}

/**
 * Stores a release; a stored release is never overwritten.
 *
 * @throws Error if a release with this name exists, or the name is invalid
 */
export function writeRelease(folder: string, release: Release): string {
  if (!/^[\w.-]{1,64}$/.test(release.name))
    throw new Error(
      `"${release.name}" is not a release name; use 1 to 64 letters, digits, dots, hyphens and underscores`,
    );
  const file = path.join(folder, `${release.name}${ending}`);
  if (existsSync(file)) throw new Error(`the release ${release.name} already exists; choose another name`);
  mkdirSync(folder, { recursive: true });
  const text = Buffer.from(JSON.stringify(release));
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(file, brotliCompressSync(text, { params }));
  return file;
}

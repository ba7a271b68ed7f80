import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ProgramFailed, runProgram } from '../../runProgram.ts';
import { type BundleLayout, bundleLayout } from '../bundleLayout.ts';

const programNames = ['postgres', 'initdb'];

const moduleNames = [
  'pg_documentdb',
  'pg_documentdb_core',
  'pg_documentdb_extended_rum',
  'pg_documentdb_extended_rum_core',
  'pg_documentdb_extended_rum_core_builtin_rmgr',
  'postgis-3',
  'vector',
  'pg_cron',
  'tsm_system_rows',
  'plpgsql',
  'dict_snowball',
  'pgoutput',
];

const listLimitMs = 30_000;

/** DocumentDB depends on these extensions; PostGIS for 2dsphere, pgvector for vector search. */
const extensionFiles =
  /^(documentdb(?!_distributed)|pg_cron|tsm_system_rows|vector|plpgsql|postgis-3\.control)/;

/** A shared library that is not among the packages; the message is its name. */
export class MissingLibraries extends Error {}

/**
 * Copies the files of the server from unpacked packages (`unpacked`, a root directory) to `target`.
 *
 * @throws MissingLibraries if a shared library is not in the packages
 */
export async function assembleBundle(unpacked: string, target: string): Promise<void> {
  const from = bundleLayout(unpacked);
  const bundle = bundleLayout(target);
  rmSync(target, { recursive: true, force: true });
  for (const directory of [bundle.libraries, bundle.programs, bundle.modules, bundle.share]) {
    mkdirSync(directory, { recursive: true });
  }
  for (const program of programNames) copyFileSync(join(from.programs, program), binaryOf(bundle, program));
  for (const module of moduleNames)
    copyFileSync(join(from.modules, `${module}.so`), join(bundle.modules, `${module}.so`));
  copyShare(from, bundle);
  const loader = await copyLibraries(unpacked, bundle);
  for (const program of programNames) writeLauncher(bundle, program, loader);
}

function binaryOf(bundle: BundleLayout, program: string): string {
  return join(bundle.programs, `${program}.bin`);
}

function copyShare(from: BundleLayout, bundle: BundleLayout): void {
  cpSync(from.share, bundle.share, { recursive: true, filter: (path) => !/\/(man|contrib)$/.test(path) });
  const control = readFileSync(join(bundle.extensions, 'postgis-3.control'), 'utf8');
  const version = /default_version = '([^']+)'/.exec(control)?.[1];
  // All upgrade scripts of PostGIS are tens of megabytes; a new cluster needs only the script of the current version.
  for (const name of readdirSync(bundle.extensions)) {
    const isNeeded = extensionFiles.test(name) || name === `postgis--${version}.sql`;
    if (!isNeeded) rmSync(join(bundle.extensions, name));
  }
  copyFileSync(join(bundle.extensions, 'postgis-3.control'), join(bundle.extensions, 'postgis.control'));
}

/**
 * Copies the libraries that programs and modules need, as resolved by the loader of the packages, and that loader. It
 * includes libc, so the bundle runs on any distribution.
 *
 * @returns name of the loader
 */
async function copyLibraries(unpacked: string, bundle: BundleLayout): Promise<string> {
  const directories = readdirSync(join(unpacked, 'usr/lib'))
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join(unpacked, 'usr/lib', name));
  const shipped = new Map(
    directories.flatMap((one) => readdirSync(one).map((name) => [name, join(one, name)] as const)),
  );
  const loader = [...shipped.keys()].find((name) => name.startsWith('ld-linux'));
  if (!loader) throw new MissingLibraries('the dynamic loader');
  const files = [
    ...programNames.map((program) => binaryOf(bundle, program)),
    ...moduleNames.map((module) => join(bundle.modules, `${module}.so`)),
  ];
  const names = new Set([loader]);
  for (const file of files) {
    const needed = await neededLibraries(shipped.get(loader) ?? '', file, [...directories, bundle.modules]);
    for (const name of needed) names.add(name);
  }
  for (const name of names) {
    const source = shipped.get(name);
    const copy = join(bundle.libraries, name);
    // A module that another module needs is already in the bundle.
    if (!source) continue;
    copyFileSync(source, copy);
    chmodSync(copy, 0o755);
  }
  return loader;
}

/** Returns the names of the shared libraries that a file needs, directly or indirectly. */
async function neededLibraries(
  loader: string,
  file: string,
  directories: readonly string[],
): Promise<string[]> {
  const path = ['--inhibit-cache', '--library-path', directories.join(':')];
  try {
    const list = await runProgram(loader, [...path, '--list', file], { timeoutMs: listLimitMs });
    return [...list.matchAll(/^\s*(\S+) => /gm)].map(([, name = '']) => name);
  } catch (error) {
    const missing =
      error instanceof ProgramFailed && /libraries: (\S+):.*No such file/.exec(error.message)?.[1];
    throw missing ? new MissingLibraries(missing, { cause: error }) : error;
  }
}

/**
 * Writes the launcher. The programs must use the libraries of the bundle instead of the machine's, so the bundle's own
 * loader starts them. `--argv0` is needed because initdb looks for postgres next to its own path.
 */
function writeLauncher(bundle: BundleLayout, program: string, loader: string): void {
  const script = `#!/bin/sh
here=\${0%/*}
root=$here/../../../../..
exec "$root/lib/${loader}" --inhibit-cache --library-path "$root/lib:$here/../lib" --argv0 "$0" "$0.bin" "$@"
`;
  writeFileSync(join(bundle.programs, program), script, { mode: 0o755 });
}

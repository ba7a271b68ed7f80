import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type BundleLayout, bundleLayout } from '../bundleLayout.ts';
import { neededLibraries } from './neededLibraries.ts';

const PROGRAMS = ['postgres', 'initdb'];

const MODULES = [
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

/** DocumentDB depends on these extensions; PostGIS for 2dsphere, pgvector for vector search. */
const EXTENSION_FILES =
  /^(documentdb(?!_distributed)|pg_cron|tsm_system_rows|vector|plpgsql|postgis-3\.control)/;

export class MissingLibraries extends Error {}

/**
 * Copies what the server needs out of unpacked packages (`unpacked`, a root directory) into `target`.
 * Throws MissingLibraries when a shared library is not among the packages.
 */
export function assembleBundle(unpacked: string, target: string): void {
  const from = bundleLayout(unpacked);
  const bundle = bundleLayout(target);
  rmSync(target, { recursive: true, force: true });
  for (const directory of [bundle.libraries, bundle.programs, bundle.modules, bundle.share]) {
    mkdirSync(directory, { recursive: true });
  }
  for (const program of PROGRAMS) copyFileSync(join(from.programs, program), binaryOf(bundle, program));
  for (const module of MODULES)
    copyFileSync(join(from.modules, `${module}.so`), join(bundle.modules, `${module}.so`));
  copyShare(from, bundle);
  copyLibraries(unpacked, bundle);
  const loader = readdirSync(bundle.libraries).find((name) => name.startsWith('ld-linux'));
  if (!loader) throw new MissingLibraries('the dynamic loader');
  for (const program of PROGRAMS) writeLauncher(bundle, program, loader);
}

function binaryOf(bundle: BundleLayout, program: string): string {
  return join(bundle.programs, `${program}.bin`);
}

function copyShare(from: BundleLayout, bundle: BundleLayout): void {
  cpSync(from.share, bundle.share, { recursive: true, filter: (path) => !/\/(man|contrib)$/.test(path) });
  const control = readFileSync(join(bundle.extensions, 'postgis-3.control'), 'utf8');
  const version = /default_version = '([^']+)'/.exec(control)?.[1];
  // All upgrade paths of PostGIS are tens of megabytes; a new cluster needs the one script of the current version.
  for (const name of readdirSync(bundle.extensions)) {
    const isNeeded = EXTENSION_FILES.test(name) || name === `postgis--${version}.sql`;
    if (!isNeeded) rmSync(join(bundle.extensions, name));
  }
  copyFileSync(join(bundle.extensions, 'postgis-3.control'), join(bundle.extensions, 'postgis.control'));
}

/** Follows what each file asks for until nothing new is asked. libc is part of it, so any distribution will do. */
function copyLibraries(unpacked: string, bundle: BundleLayout): void {
  const directories = readdirSync(join(unpacked, 'usr/lib'))
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join(unpacked, 'usr/lib', name));
  const open = [
    ...PROGRAMS.map((program) => binaryOf(bundle, program)),
    ...MODULES.map((module) => join(bundle.modules, `${module}.so`)),
  ];
  const missing = new Set<string>();
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const name of neededLibraries(readFileSync(file))) {
      const copy = join(bundle.libraries, name);
      if (existsSync(copy) || existsSync(join(bundle.modules, name))) continue;
      const source = directories.map((directory) => join(directory, name)).find(existsSync);
      if (!source) {
        missing.add(name);
        continue;
      }
      copyFileSync(realpathSync(source), copy);
      chmodSync(copy, 0o755);
      open.push(copy);
    }
  }
  if (missing.size > 0) throw new MissingLibraries([...missing].join(' '));
}

/**
 * The programs must run with the libraries of the bundle, not with the machine's, so the bundle's own loader starts
 * them. `--argv0` because initdb looks for postgres beside the name that it was called by.
 */
function writeLauncher(bundle: BundleLayout, program: string, loader: string): void {
  const script = `#!/bin/sh
here=\${0%/*}
root=$here/../../../../..
exec "$root/lib/${loader}" --inhibit-cache --library-path "$root/lib:$here/../lib" --argv0 "$0" "$0.bin" "$@"
`;
  writeFileSync(join(bundle.programs, program), script, { mode: 0o755 });
}

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rootPackage } from '../../../embedded-db/documentdb/debian/selectPackages.ts';
import type { FakeArchive } from './fakeApt.ts';

const installation = 'usr/lib/postgresql/18';
const extensions = 'usr/share/postgresql/18/extension';
const moduleNames = `pg_documentdb pg_documentdb_core pg_documentdb_extended_rum pg_documentdb_extended_rum_core
  pg_documentdb_extended_rum_core_builtin_rmgr postgis-3 vector pg_cron tsm_system_rows plpgsql dict_snowball pgoutput`;

const packager = 'dpkg-deb';
const libraryLister = 'ldd';

/** A small program of this machine, which replaces the server. */
const programPath = realpathSync('/bin/sh');

/**
 * Creates an archive of small packages with the layout of the real ones, and the programs that read it in `directory/bin`.
 * The program's own libraries are in the package `libraries`.
 */
export function makeFakeArchive(
  directory: string,
  options: { libraries: string } & Partial<FakeArchive>,
): void {
  const { libraries, ...overrides } = options;
  const server = Object.fromEntries([
    [`${installation}/bin/postgres`, readFileSync(programPath)],
    [`${installation}/bin/initdb`, readFileSync(programPath)],
    ...moduleNames
      .split(/\s+/)
      .map((module) => [`${installation}/lib/${module}.so`, readFileSync(programPath)]),
    [`${extensions}/postgis-3.control`, "default_version = '3.6.4'"],
    [`${extensions}/postgis--3.6.4.sql`, 'the script'],
    [`${extensions}/postgis--3.0.0--3.6.4.sql`, 'an upgrade'],
    [`${extensions}/documentdb.control`, 'control'],
  ]);
  const packages = [
    { name: rootPackage, files: server, dependsOn: ['postgresql-18', libraries, 'libgdal39'] },
    { name: 'postgresql-18', files: { 'usr/share/doc/readme': 'x'.repeat(100_000) }, dependsOn: ['locales'] },
    { name: libraries, files: librariesOf(programPath), dependsOn: [] },
    { name: 'libgdal39', files: { 'usr/lib/libgdal': 'not needed' }, dependsOn: [] },
  ];
  const archive: FakeArchive = {
    packages: packages.map((one) => ({ ...build(directory, one.name, one.files), dependsOn: one.dependsOn })),
    suites: ['forky', 'sid'],
    stallsAfter: null,
    mirrors: [],
    ...overrides,
  };
  writeFileSync(join(directory, 'archive.json'), JSON.stringify(archive));
  writeFileSync(join(directory, 'calls'), '');
  mkdirSync(join(directory, 'bin'), { recursive: true });
  for (const program of ['apt-get', 'apt-cache', 'apt-config']) {
    const script = `#!/bin/sh\nexec "${process.execPath}" "${join(import.meta.dirname, 'fakeApt.ts')}" "$0" "$@"\n`;
    writeFileSync(join(directory, 'bin', program), script, { mode: 0o755 });
  }
}

function build(
  directory: string,
  name: string,
  files: Record<string, string | Buffer>,
): { name: string; file: string; sha256: string } {
  const tree = join(directory, 'trees', name);
  const control = `Package: ${name}\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\nDescription: test\n`;
  for (const [path, content] of Object.entries({ 'DEBIAN/control': control, ...files })) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), content, { mode: 0o755 });
  }
  chmodSync(join(tree, 'DEBIAN'), 0o755);
  const file = `${name}_1_all.deb`;
  execFileSync(packager, ['--root-owner-group', '-Znone', '-b', tree, join(directory, file)], {
    stdio: 'ignore',
  });
  return {
    name,
    file,
    sha256: createHash('sha256')
      .update(readFileSync(join(directory, file)))
      .digest('hex'),
  };
}

/** The shared libraries of a program, as the files of a package. */
function librariesOf(program: string): Record<string, Buffer> {
  const [multiarch = ''] = readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu'));
  const lines = execFileSync(libraryLister, [program]).toString().split('\n');
  const paths = lines.flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? []);
  return Object.fromEntries(
    paths.map((path) => [`usr/lib/${multiarch}/${basename(path)}`, readFileSync(path)]),
  );
}

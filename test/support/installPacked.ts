import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A package that is packed and installed in an empty folder, as its users do. */
export interface InstalledPackage {
  readonly folder: string;
  /** Folder of the installed package. */
  readonly installed: string;
  readonly tarball: string;
  /** Files of the package. */
  readonly names: readonly string[];
  remove(): void;
}

/**
 * Packs a package and installs the tarball in a new folder.
 *
 * @param root folder of the package
 * @param name of the package
 */
export async function installPacked(root: string, name: string): Promise<InstalledPackage> {
  const folder = mkdtempSync(path.join(tmpdir(), 'package-'));
  const packed = await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], {
    cwd: root,
  });
  const [{ filename, files }] = JSON.parse(packed.stdout) as [
    { filename: string; files: readonly { path: string }[] },
  ];
  const tarball = path.join(folder, filename);
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--silent'];
  await run('npm', ['install', ...options, tarball], { cwd: folder });
  return {
    folder,
    installed: path.join(folder, 'node_modules', name),
    tarball,
    names: files.map((file) => file.path),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

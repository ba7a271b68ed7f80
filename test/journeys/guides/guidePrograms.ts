import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '../../..');

/** Address of a running product, and the password of its demonstration accounts. */
interface Account {
  readonly url: string;
  readonly password: string;
}

/** The first event of a program: that of its change, or a late one of the cars that the start has created. */
export const someEvent = expect.stringMatching(/^event: listing\.(?:created|published|updated)$/);

/** Writes the files of guides, whose blocks of code name them, with the address and the password of a product. */
export function writeProgram(place: string, guides: readonly string[], { url, password }: Account): string {
  mkdirSync(place, { recursive: true });
  const files = new Map<string, string>();
  for (const guide of guides) {
    const text = readFileSync(path.join(root, `docs/tutorials/${guide}.md`), 'utf8');
    for (const [, name = '', code = ''] of text.matchAll(/^```ts (\S+)\n([\s\S]*?)^```$/gm))
      files.set(name, (files.get(name) ?? '') + code);
  }
  for (const [name, code] of files)
    writeFileSync(
      path.join(place, name),
      code.replaceAll('http://localhost:4000', url).replaceAll('a-demo-password', password),
    );
  return place;
}

/** Writes the files of guides that use packages of this project. */
export function writeBeside(place: string, guides: readonly string[], account: Account): string {
  writeProgram(place, guides, account);
  writeFileSync(path.join(place, 'package.json'), '{ "type": "module" }');
  symlinkSync(path.join(root, 'node_modules'), path.join(place, 'node_modules'));
  return place;
}

/** Runs a program as written, and returns the lines that it prints. */
export async function linesOf(place: string, file = 'main.ts'): Promise<string[]> {
  const { stdout } = await run(process.execPath, ['--no-warnings', file], { cwd: place, timeout: 60_000 });
  return stdout.trim().split('\n');
}

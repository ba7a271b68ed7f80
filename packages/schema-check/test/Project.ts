import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Outcome, runCommand } from '../src/runCommand.ts';

/** A git repository of another team, in a temporary folder. */
export class Project {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'schema-check-'));

  constructor() {
    this.#git('init', '--quiet', '--initial-branch', 'main');
  }

  write(files: Readonly<Record<string, string | object>>): void {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(this.folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    }
  }

  /** Deletes the files of the working tree. */
  clear(): void {
    for (const name of readdirSync(this.folder))
      if (name !== '.git') rmSync(path.join(this.folder, name), { recursive: true });
  }

  commit(): void {
    this.#git('add', '--all');
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    this.#git(...author, 'commit', '--quiet', '--message', 'state');
  }

  /** Runs the command in the repository. */
  run(...args: string[]): Promise<Outcome> {
    return runCommand(args, this.folder);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #git(...args: string[]): void {
    execFileSync('git', args, { cwd: this.folder, stdio: 'ignore' });
  }
}

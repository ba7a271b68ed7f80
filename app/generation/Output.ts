import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Generated file: its path relative to the project, and its content. */
export interface Output {
  readonly file: string;
  readonly text: string;
}

/** Returns the files that are missing or have another content. */
export function findStale(root: string, outputs: readonly Output[]): Output[] {
  return outputs.filter(({ file, text }) => {
    const target = path.join(root, file);
    return !existsSync(target) || readFileSync(target, 'utf8') !== text;
  });
}

/** Writes files, with the folders that they need. */
export function writeOutputs(root: string, outputs: readonly Output[]): void {
  for (const { file, text } of outputs) {
    const target = path.join(root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

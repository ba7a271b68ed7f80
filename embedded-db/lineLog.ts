import { appendFileSync } from 'node:fs';

/** Appends lines with their time to a file. Never throws: a full disk must not end what the lines are about. */
export function lineLog(file: string): (line: string) => void {
  return (line) => {
    try {
      appendFileSync(file, `${new Date().toISOString()} ${line}\n`);
    } catch {
      // there is no other place to report it
    }
  };
}

import { appendFileSync } from 'node:fs';

/**
 * Returns a function that appends lines with their time to a file. It never throws, because a full disk must not end
 * the reported process.
 */
export function lineLog(file: string): (line: string) => void {
  return (line) => {
    try {
      appendFileSync(file, `${new Date().toISOString()} ${line}\n`);
    } catch {
      // there is no other place to report it
    }
  };
}

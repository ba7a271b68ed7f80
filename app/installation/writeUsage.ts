import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { exportUsage } from '../../subgraphs/identity/people/api-usage/exportUsage.ts';
import { openInstallations } from '../../subgraphs/platform/installation/Installations.ts';

/**
 * Writes the usage ledger of all installations to a file, as JSON lines.
 *
 * @param days text of a number of days before today
 * @returns the numbers of lines and installations
 * @throws Error if the number of days is invalid, or the file cannot be written
 */
export async function writeUsage(
  file: string,
  days: string,
): Promise<{ readonly lines: number; readonly installations: number }> {
  if (!/^[1-9]\d{0,3}$/.test(days)) throw new Error('--days must be a whole number from 1 to 9999.');
  const { all, close } = await openInstallations();
  close();
  let lines = 0;
  const toText = async function* (): AsyncGenerator<string, void> {
    for (const { id } of all) {
      for await (const line of exportUsage(id, { days: Number(days), nowMs: Date.now() })) {
        lines += 1;
        yield `${JSON.stringify(line)}\n`;
      }
    }
  };
  await pipeline(toText, createWriteStream(file));
  return { lines, installations: all.length };
}

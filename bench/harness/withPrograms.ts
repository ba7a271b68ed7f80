import { cp, mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { type Program, startProgram } from '../../test/support/startProgram.ts';

/** Starts a program of the project that shares the run's `DATA_DIR` with the others. */
export type StartProgram = (
  name: string,
  script: string,
  environment?: Readonly<Record<string, string>>,
  args?: readonly string[],
) => Promise<Program>;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a measurement with programs and a data directory of its own. Whatever was started ends with it, the last one
 * first, and the directory goes: at its end, when it fails, and when a signal ends it.
 *
 * @param name what the directory is named after
 * @throws what the measurement throws
 */
export async function withPrograms(
  name: string,
  measure: (start: StartProgram) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), `trigate-${name}-`));
  // A folder that holds the demonstration already: a quick run does without making it.
  const { BENCH_DATA_DIR } = process.env;
  if (BENCH_DATA_DIR !== undefined) await cp(BENCH_DATA_DIR, dataDir, { recursive: true });
  const starts: Promise<Program | null>[] = [];
  let isEnding = false;
  const start: StartProgram = (program, script, environment = {}, args = []) => {
    if (isEnding) throw new Error('The measurement is ending.');
    const starting = startProgram(program, script, { DATA_DIR: dataDir, ...environment }, args);
    // One that does not come up has ended by itself.
    starts.push(starting.catch(() => null));
    return starting;
  };
  const end = async (): Promise<void> => {
    isEnding = true;
    // What comes up at this moment is ended as well.
    for (const starting of starts.reverse()) await (await starting)?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  };
  const endBySignal = (signal: (typeof signals)[number]): void => {
    for (const each of signals) process.off(each, endBySignal);
    // A second signal is not heard any more than the first one: what is left would be left for good.
    for (const each of signals) process.on(each, () => undefined);
    console.error(`\n${signal}: ending what was started`);
    void end().finally(() => process.exit(128 + constants.signals[signal]));
  };
  for (const each of signals) process.on(each, endBySignal);
  try {
    await measure(start);
  } catch (error) {
    // Programs that a signal took away make the measurement fail; the signal is what ends it then.
    if (isEnding) await new Promise(() => undefined);
    throw error;
  } finally {
    for (const each of signals) process.off(each, endBySignal);
    if (!isEnding) await end();
  }
}

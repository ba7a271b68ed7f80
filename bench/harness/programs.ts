import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { type Program, startProgram } from '../../test/support/stack/startProgram.ts';

/** Starts a program of the project that shares the run's `DATA_DIR` with the others. */
export type StartProgram = (
  name: string,
  script: string,
  environment?: Readonly<Record<string, string>>,
  args?: readonly string[],
) => Promise<Program>;

/** Programs that are stopped together. */
export interface ProgramGroup {
  /** `DATA_DIR` of the programs of all groups. */
  readonly dataDir: string;
  readonly start: StartProgram;
  /** Stops the programs in reverse order of their start, including those that are still starting. */
  end(): Promise<void>;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a measurement with its own data directory. All programs of its groups are stopped and the directory is deleted
 * when the measurement ends or fails, or when a signal ends the process.
 *
 * @param folder data directory that is kept, so that a later run continues with its data; a temporary one by default
 * @throws errors of the measurement
 */
export async function withPrograms<T>(
  measure: (openGroup: () => ProgramGroup) => Promise<T>,
  folder?: string,
): Promise<T> {
  const dataDir = folder ? path.resolve(folder) : await mkdtemp(path.join(tmpdir(), 'trigate-bench-'));
  await mkdir(dataDir, { recursive: true });
  const groups: ProgramGroup[] = [];
  let isEnding = false;
  const openGroup = (): ProgramGroup => {
    const group = groupIn(dataDir, () => isEnding);
    groups.push(group);
    return group;
  };
  const end = async (): Promise<void> => {
    isEnding = true;
    for (const group of groups.toReversed()) await group.end();
    if (!folder) await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  };
  const endBySignal = (signal: (typeof signals)[number]): void => {
    for (const each of signals) process.off(each, endBySignal);
    // A further signal must not leave programs behind.
    for (const each of signals) process.on(each, () => undefined);
    console.error(`\n${signal}: stopping the programs of this run`);
    void end().finally(() => process.exit(128 + constants.signals[signal]));
  };
  for (const each of signals) process.on(each, endBySignal);
  try {
    return await measure(openGroup);
  } catch (error) {
    // Programs that a signal stopped make the measurement fail; the signal's handler ends the process.
    if (isEnding) await new Promise(() => undefined);
    throw error;
  } finally {
    for (const each of signals) process.off(each, endBySignal);
    if (!isEnding) await end();
  }
}

function groupIn(dataDir: string, isEnding: () => boolean): ProgramGroup {
  const starts: Promise<Program | null>[] = [];
  return {
    dataDir,
    start(name, script, environment = {}, args = []) {
      if (isEnding()) throw new Error('The measurement is ending.');
      const starting = startProgram(name, script, { DATA_DIR: dataDir, ...environment }, args);
      // A program that fails to start has ended by itself.
      starts.push(starting.catch(() => null));
      return starting;
    },
    async end() {
      for (const starting of starts.splice(0).reverse()) await (await starting)?.stop();
    },
  };
}

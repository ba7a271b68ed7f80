import pino, { type Logger } from 'pino';
import { type Configuration, readConfiguration } from '../configuration/readConfiguration.ts';
import { closeInOrder } from './closeInOrder.ts';

/** A process that serves requests. */
export interface RunningProcess {
  /** Text after `ready` in the last line that the start prints. */
  readonly ready: string;
  close(): Promise<void>;
}

/** Output of a process while it starts and runs. */
export interface Reporting {
  readonly log: Logger;
  /** Called with one line for each step of the start. */
  readonly progress: (line: string) => void;
}

/**
 * Reads the settings, starts the process, prints `ready …`, and stops it in order on a signal. A failed start prints
 * one line to standard error and ends with exit code 1.
 */
export async function runProcess(
  start: (configuration: Configuration, reporting: Reporting) => Promise<RunningProcess>,
): Promise<void> {
  try {
    const configuration = readConfiguration(process.env);
    const log = pino({ level: configuration.logLevel }, pino.destination({ dest: 2, sync: false }));
    const progress = (line: string): void => console.log(line);
    const started = start(configuration, { log, progress });
    // Registered before the start, so that a signal during the start stops what was started.
    closeInOrder(
      async () => {
        const running = await started.catch(() => null);
        await running?.close();
      },
      { log, leadMs: configuration.drainLeadMs },
    );
    progress(`ready ${(await started).ready}`);
  } catch (error) {
    console.error(`cannot start: ${error instanceof Error ? error.message : String(error)}`);
    if (process.env.LOG_LEVEL === 'debug') console.error(error);
    process.exit(1);
  }
}

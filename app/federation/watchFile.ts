import { readFile } from 'node:fs/promises';

/** Ends the watch, after a change in progress. */
export type StopWatching = () => Promise<void>;

/**
 * Reports changes of a file's text. The file is polled, because volumes of containers and network shares have no
 * reliable notifications, and a name may be moved to another file.
 *
 * @param changed called for one change at a time; `null` for a file that cannot be read
 */
export function watchFile(
  file: string,
  known: string,
  changed: (text: string | null) => Promise<void>,
  intervalMs: number,
): StopWatching {
  let last: string | null = known;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== last && !isStopped) {
      last = text;
      await changed(text);
    }
    if (!isStopped) timer = setTimeout(next, intervalMs).unref();
  };
  let looking: Promise<void> = Promise.resolve();
  const next = (): void => {
    looking = look();
  };
  timer = setTimeout(next, intervalMs).unref();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await looking;
  };
}

import type { Logger } from 'pino';

/** Registers an opened part and returns it. Parts are closed in reverse order. */
export type Keep = <T extends { close(): Promise<unknown> }>(opened: T) => T;

/**
 * Opens the parts of a process. If one of them cannot be opened, those before it are closed.
 *
 * @returns what `open` returns, with a function that closes all parts in reverse order
 */
export async function openInOrder<T extends object>(
  log: Logger,
  open: (keep: Keep) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const parts: { close(): Promise<unknown> }[] = [];
  const close = async (): Promise<void> => {
    for (const part of parts.reverse())
      await part.close().catch((error: unknown) => log.error({ err: error }, 'closing failed'));
  };
  try {
    const opened = await open((part) => {
      parts.push(part);
      return part;
    });
    return { ...opened, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const closers: (() => Promise<void>)[] = [];

/**
 * Registers the close of something that stays open across test files. In a run with one worker, the tests share the process
 * of jest, which ends only when everything is closed. Other workers are killed.
 */
export function atEnd(close: () => Promise<void>): void {
  closers.push(close);
}

/** Closes everything that is open, in reverse order. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

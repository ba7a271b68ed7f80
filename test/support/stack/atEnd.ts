const closers: (() => Promise<void>)[] = [];

/**
 * Closes something that stays open across test files. In a run with one worker the tests share the process of jest, which
 * ends only when everything is closed; other workers are ended with what they hold.
 */
export function atEnd(close: () => Promise<void>): void {
  closers.push(close);
}

/** Closes what is open, in reverse order. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

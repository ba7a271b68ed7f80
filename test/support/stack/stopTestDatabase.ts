import { closeAll } from './atEnd.ts';

/** Ends what `startTestDatabase` started. */
export default async function stopTestDatabase(): Promise<void> {
  await closeAll();
  await globalThis.stopTestDatabase?.();
}

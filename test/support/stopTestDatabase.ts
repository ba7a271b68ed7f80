/** Ends what `startTestDatabase` started. */
export default async function stopTestDatabase(): Promise<void> {
  await globalThis.stopTestDatabase?.();
}

import closeWithGrace from 'close-with-grace';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';

/** A terminal and npm both forward the same Ctrl-C; a later one means that the user does not want to wait. */
const impatientAfterMs = 1000;

/**
 * Shuts the process down on a signal or an unexpected failure. `close` has ten seconds to finish work in progress, in
 * addition to the time in which requests are still accepted. Repeated signals have no effect, except for a second
 * Ctrl-C, which ends the process immediately. The exit code distinguishes a failure from a requested shutdown.
 */
export function closeInOrder(
  close: () => Promise<void>,
  { log, leadMs = 0 }: { log?: Logger | undefined; leadMs?: number } = {},
): void {
  const { close: closeNow } = closeWithGrace(
    { delay: 10_000 + leadMs, logger: false, skip: ['unhandledRejection', 'SIGTERM', 'SIGINT'] },
    async ({ err }) => {
      if (err) log?.fatal({ err }, 'unexpected failure, draining');
      await close();
      // A requested shutdown would end with exit code 0, regardless of the reason.
      if (process.exitCode === 1) process.exit();
    },
  );
  let begun: number | undefined;
  const end = (): void => {
    if (begun !== undefined) return;
    begun = performance.now();
    closeNow();
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', () => {
    if (begun !== undefined && performance.now() - begun > impatientAfterMs) process.exit(1);
    end();
  });
  process.on('unhandledRejection', (reason) => {
    // graphql-js does not handle the rejection of a list entry if another entry failed before. The response was already
    // sent, and a client's document must not end the process.
    if (reason instanceof GraphQLError) return;
    log?.fatal({ err: reason }, 'unhandled rejection, draining');
    process.exitCode = 1;
    end();
  });
}

import closeWithGrace from 'close-with-grace';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';

/** A terminal and npm both forward the same Ctrl-C; a later one means that the user does not want to wait. */
const impatientAfterMs = 1000;

/**
 * Ends the process in order on a signal or an unexpected failure: `close` lets what is in flight finish, and has ten
 * seconds for it, besides the time in which requests are still accepted. A repetition changes nothing, except for a
 * second Ctrl-C, which ends it at once. The exit code distinguishes a failure from a request to end.
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
      // A close request would end with exit code 0, whatever the reason was.
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
    // graphql-js does not handle the rejection of a list entry if another entry failed before. The response was sent
    // already, and a document of a client must not end the process.
    if (reason instanceof GraphQLError) return;
    log?.fatal({ err: reason }, 'unhandled rejection, draining');
    process.exitCode = 1;
    end();
  });
}

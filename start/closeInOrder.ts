import closeWithGrace from 'close-with-grace';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';

/**
 * Ends the process in order on a signal or an unexpected failure: `close` lets what is in flight finish, and has ten
 * seconds for it. The exit code tells a failure from a request to end.
 */
export function closeInOrder(close: () => Promise<void>, log?: Logger): void {
  const { close: closeNow } = closeWithGrace(
    { delay: 10_000, logger: false, skip: ['unhandledRejection'] },
    async ({ err }) => {
      if (err) log?.fatal({ err }, 'unexpected failure, draining');
      await close();
    },
  );
  process.on('unhandledRejection', (reason) => {
    // graphql-js leaves the error of a list entry behind when another entry failed before it. It was answered already,
    // and a document that a client can send must not be able to end the process.
    if (reason instanceof GraphQLError) return;
    log?.fatal({ err: reason }, 'unhandled rejection, draining');
    process.exitCode = 1;
    closeNow();
  });
}

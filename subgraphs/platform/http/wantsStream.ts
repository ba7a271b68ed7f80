import type { IncomingMessage } from 'node:http';

/** Returns whether the client accepts server-sent events. */
export function wantsStream({ headers: { accept = '' } }: Pick<IncomingMessage, 'headers'>): boolean {
  return /(?:^|[\s,])text\/event-stream(?:$|[\s,;])/i.test(accept);
}

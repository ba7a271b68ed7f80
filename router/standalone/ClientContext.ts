import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { SubgraphContext } from '../transport/Transport.ts';

/** What a client's request lends to its fetches. */
export interface ClientContext extends SubgraphContext {
  readonly headers: IncomingHttpHeaders;
  readonly signal: AbortSignal;
  /** The deadline holds no longer: what was begun goes on until the client leaves. */
  endless(): void;
}

const traceparent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The context of a request, given up when its client leaves or its time is over. */
export function openClientContext(
  { headers }: IncomingMessage,
  response: ServerResponse,
  timeoutMs: number,
): ClientContext {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs).unref();
  response.once('close', () => {
    clearTimeout(timer);
    if (!response.writableFinished) controller.abort();
  });
  const trace = headers.traceparent;
  return {
    headers,
    signal: controller.signal,
    traceparent: typeof trace === 'string' && traceparent.test(trace) ? trace : undefined,
    endless: () => clearTimeout(timer),
  };
}

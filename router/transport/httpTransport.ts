import { setTimeout as pause } from 'node:timers/promises';
import { OperationTypeNode } from 'graphql';
import type { Pool } from 'undici';
import { type Answer, exchange } from './exchange.ts';
import { openSubscriptionPool, subscribeOverHttp } from './httpSubscription.ts';
import { loadUndici } from './loadUndici.ts';
import { type Deadline, openDeadline } from './openDeadline.ts';
import { readAnswer } from './readAnswer.ts';
import {
  type SubgraphContext,
  type SubgraphEvents,
  type SubgraphRequest,
  type SubgraphResult,
  type SubgraphSubscription,
  type Transport,
  timeLeft,
  unknownOutcome,
  type Variables,
} from './Transport.ts';

export type UpstreamCode = 'UPSTREAM_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'UPSTREAM_ERROR';

/** Rejects requests to a subgraph that keeps failing. */
export interface CircuitBreaker {
  /** Returns 0 to admit a request, after which `leave` must be called once; any other number rejects it. */
  enter(): number;
  /**
   * Reports the outcome. `neither`: the end of the request does not indicate the health of the subgraph, for example if
   * the client disconnected.
   */
  leave(outcome: 'success' | 'failure' | 'neither'): void;
}

export interface HttpTransportOptions {
  /** Name of the subgraph. Error messages contain nothing else about it. */
  readonly name: string;
  readonly url: string;
  /** Forwarded request headers in addition to content negotiation and `traceparent`. */
  readonly headers: (context: SubgraphContext) => Readonly<Record<string, string>>;
  /** Called with the headers of every response, for facts that a subgraph returns in addition to data. */
  readonly onHeaders?:
    | ((headers: Readonly<Record<string, string | string[] | undefined>>, context: SubgraphContext) => void)
    | undefined;
  /** Maximum time from sending to the last byte of the response, including a retry. 5,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Maximum size of a response; 10 MiB by default. */
  readonly maxAnswerBytes?: number | undefined;
  /** Maximum number of open connections; 64 by default. */
  readonly connections?: number | undefined;
  /**
   * Maximum number of requests that are sent or wait for a connection; more are refused immediately. 1,000 by default.
   */
  readonly maxPending?: number | undefined;
  /** Circuit breaker; without one, every request is sent. */
  readonly breaker?: CircuitBreaker | undefined;
  /** Called for every failure with its cause, for the log; the client never sees the cause. */
  readonly onFailure?: ((failure: { name: string; code: UpstreamCode; cause: unknown }) => void) | undefined;
}

interface Channel {
  readonly name: string;
  readonly pool: Pool;
  readonly path: string;
  readonly breaker: CircuitBreaker | undefined;
  readonly options: HttpTransportOptions;
  readonly maxPending: number;
  /** Requests that were sent or wait for a connection. */
  pending: number;
}

interface Call {
  readonly body: string;
  readonly context: SubgraphContext;
  readonly timeoutMs: number;
  readonly isRepeatable: boolean;
  /** Whether it is a write; if its response is missing, its outcome is unknown. */
  readonly isWrite: boolean;
}

const retryPauseMs = 25;
const usualAnswerBytes = 10 * 1024 * 1024;
const messages: Readonly<Record<UpstreamCode, string>> = {
  UPSTREAM_UNAVAILABLE: 'cannot be reached at the moment',
  UPSTREAM_TIMEOUT: 'did not answer in time',
  UPSTREAM_ERROR: 'returned an unusable response',
};

/**
 * Creates a transport to a subgraph over HTTP (GraphQL over HTTP, POST) on keep-alive connections. A failure is a
 * result with one error `UPSTREAM_UNAVAILABLE`, `UPSTREAM_TIMEOUT` or `UPSTREAM_ERROR`. It names the subgraph, but no
 * address or library message; the transport does not throw. Queries are retried once if the connection failed,
 * mutations never.
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const { origin, pathname, search } = new URL(options.url);
  const timeoutMs = options.timeoutMs ?? 5000;
  const maxPending = options.maxPending ?? 1000;
  const channel: Channel = {
    name: options.name,
    pool: new (loadUndici().Pool)(origin, {
      connections: options.connections ?? 64,
      pipelining: 1,
      connect: { timeout: timeoutMs },
      // The deadline of the call applies; these timeouts would abort longer calls.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: options.maxAnswerBytes ?? usualAnswerBytes,
    }),
    path: pathname + search,
    breaker: options.breaker,
    options,
    maxPending,
    pending: 0,
  };
  let subscriptions: Pool | undefined;
  return {
    conforming: false,
    compile(_document, text, operationType, compileOptions): SubgraphRequest {
      const head = `{"query":${JSON.stringify(text)},"variables":`;
      const isRepeatable = operationType === OperationTypeNode.QUERY;
      const isWrite = operationType === OperationTypeNode.MUTATION;
      const callTimeoutMs = compileOptions?.timeoutMs ?? timeoutMs;
      return (variables: Variables, context) =>
        send(channel, {
          body: `${head}${JSON.stringify(variables)}}`,
          context,
          timeoutMs: timeLeft(callTimeoutMs, context),
          isRepeatable,
          isWrite,
        });
    },
    compileSubscription(_document, text): SubgraphSubscription {
      const head = `{"query":${JSON.stringify(text)},"variables":`;
      return (variables, context) => {
        subscriptions ??= openSubscriptionPool(origin, timeoutMs);
        return subscribe(channel, subscriptions, { body: `${head}${JSON.stringify(variables)}}`, context });
      };
    },
    async close() {
      await subscriptions?.destroy();
      await channel.pool.close();
    },
  };
}

async function send(channel: Channel, call: Call): Promise<SubgraphResult> {
  const { breaker, maxPending } = channel;
  if (channel.pending >= maxPending || isOpen(breaker)) {
    return fail(channel, 'UPSTREAM_UNAVAILABLE', null);
  }
  channel.pending++;
  const deadline = openDeadline(call.timeoutMs, call.context.signal);
  try {
    const answer = await ask(channel, call, deadline);
    const result = readAnswer(answer.body);
    if (result === null || answer.statusCode >= 500) {
      breaker?.leave('failure');
      // A gateway reports that the subgraph is unreachable; the subgraph itself reports its own failure.
      const isAway = answer.statusCode >= 502 && answer.statusCode <= 504;
      return fail(
        channel,
        isAway ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_ERROR',
        new Error(`HTTP ${answer.statusCode}`),
        call.isWrite,
      );
    }
    breaker?.leave('success');
    return result;
  } catch (cause) {
    return toFailure(channel, call, deadline, cause);
  } finally {
    channel.pending--;
    deadline.close();
  }
}

function isOpen(breaker: CircuitBreaker | undefined): boolean {
  return breaker !== undefined && breaker.enter() > 0;
}

/** Subscribes. Streams count neither as pending requests nor as late responses. */
async function subscribe(
  channel: Channel,
  pool: Pool,
  { body, context }: Pick<Call, 'body' | 'context'>,
): Promise<SubgraphResult | SubgraphEvents> {
  const { breaker, path, options } = channel;
  if (isOpen(breaker)) return fail(channel, 'UPSTREAM_UNAVAILABLE', null);
  try {
    const { headers, onHeaders, maxAnswerBytes: maxEventLength = usualAnswerBytes } = options;
    const begun = await subscribeOverHttp({ pool, path, headers, onHeaders, maxEventLength }, body, context);
    breaker?.leave(begun ? 'success' : 'failure');
    return begun ?? fail(channel, 'UPSTREAM_ERROR', null);
  } catch (cause) {
    breaker?.leave(context.signal?.aborted === true ? 'neither' : 'failure');
    return fail(channel, 'UPSTREAM_UNAVAILABLE', cause);
  }
}

function toFailure(channel: Channel, call: Call, deadline: Deadline, cause: unknown): SubgraphResult {
  const { breaker } = channel;
  if (call.context.signal?.aborted === true) {
    breaker?.leave('neither');
    return fail(channel, 'UPSTREAM_TIMEOUT', cause, call.isWrite);
  }
  if (cause instanceof loadUndici().errors.ResponseExceededMaxSizeError) {
    // The operation exceeded a limit; the subgraph works.
    breaker?.leave('success');
    return fail(channel, 'UPSTREAM_ERROR', cause, call.isWrite);
  }
  breaker?.leave('failure');
  const wasSent = !isOneOf(neverSentCodes, cause);
  const code = deadline.hasPassed() ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNAVAILABLE';
  return fail(channel, code, cause, call.isWrite && wasSent);
}

/**
 * Returns the failure.
 *
 * @param isUnknown whether it was a write that may have succeeded
 */
function fail(channel: Channel, code: UpstreamCode, cause: unknown, isUnknown = false): SubgraphResult {
  const { name, options } = channel;
  options.onFailure?.({ name, code, cause });
  const message = `The subgraph "${name}" ${messages[code]}.`;
  const extensions = { code, serviceName: name, ...(isUnknown ? unknownOutcome : {}) };
  return { errors: [{ message, extensions }] };
}

/** Sends a request, and repeats it once if it is repeatable and got no response at all. */
async function ask(channel: Channel, call: Call, deadline: Deadline): Promise<Answer> {
  try {
    return await askOnce(channel, call, deadline);
  } catch (error) {
    if (!call.isRepeatable || deadline.hasEnded() || !isOneOf(connectionCodes, error)) throw error;
    await pause(retryPauseMs);
    return askOnce(channel, call, deadline);
  }
}

async function askOnce(
  { pool, path, options }: Channel,
  { body, context }: Call,
  deadline: Deadline,
): Promise<Answer> {
  const headers: Record<string, string> = {
    ...options.headers(context),
    'content-type': 'application/json',
    accept: 'application/graphql-response+json, application/json',
  };
  if (context.traceparent !== undefined) headers.traceparent = context.traceparent;
  const answer = await exchange(pool, { path, headers, body }, deadline);
  options.onHeaders?.(answer.headers, context);
  return answer;
}

const connectionCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The server did not accept the request. */
const neverSentCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function isOneOf(codes: ReadonlySet<unknown>, error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.has(error.code);
}

import type { ExecutionResult } from 'graphql';
import { type Client, type ClientOptions, createClient, type SubscribePayload } from 'graphql-ws';
import { WebSocket } from 'ws';

/** An operation over a WebSocket connection. */
export interface SocketOperation {
  /** Results that have arrived, in order. */
  readonly results: readonly ExecutionResult<Record<string, any>>[];
  /** Reason why it ended; undefined while it runs. */
  readonly end: { readonly error?: OperationError } | undefined;
  /** Waits for a condition. If it times out, it fails with what arrived. */
  until(what: string, holds: (operation: SocketOperation) => boolean): Promise<void>;
  close(): void;
}

/** Reason why an operation was not executed: errors of its document, or the close code of its connection. */
interface OperationError {
  readonly errors?: readonly { readonly message: string }[];
  readonly code?: number;
  readonly reason?: string;
}

/** A client of GraphQL over WebSocket. */
export interface SocketClient {
  readonly client: Client;
  /** Codes and reasons with which its connections were closed, in order. */
  readonly closings: readonly { readonly code: number; readonly reason: string }[];
  start(payload: SubscribePayload): SocketOperation;
  /** Returns the result of a query or mutation, or the reason why it was not executed. */
  ask(query: string, variables?: Record<string, unknown>): Promise<any>;
  close(): Promise<void>;
}

const patienceMs = 20_000;

/** Returns a constructor of connections that send a host, as a browser does for the address it opens. */
export function webSocketOf(
  headers: Record<string, string>,
): new (
  url: string,
  protocols?: string | string[],
) => WebSocket {
  return class extends WebSocket {
    constructor(url: string, protocols?: string | string[]) {
      super(url, protocols, { headers });
    }
  };
}

/** Opens a client with the defaults of `graphql-ws`, except that it does not repeat a failed connection. */
export function openSocketClient(
  port: number,
  { host, token, ...options }: Partial<ClientOptions> & { host: string; token?: string | undefined },
): SocketClient {
  const closings: { code: number; reason: string }[] = [];
  const client = createClient({
    url: `ws://127.0.0.1:${port}/graphql`,
    webSocketImpl: webSocketOf({ host }),
    ...(token !== undefined && { connectionParams: { Authorization: `Bearer ${token}` } }),
    retryAttempts: 0,
    ...options,
    on: { closed: (event) => closings.push(closingOf(event)) },
  });
  const start = (payload: SubscribePayload): SocketOperation => startOperation(client, payload);
  return {
    client,
    closings,
    start,
    async ask(query, variables) {
      const operation = start({ query, ...(variables && { variables }) });
      await operation.until('it has ended', ({ end }) => end !== undefined);
      return operation.end?.error ?? operation.results[0];
    },
    close: async () => client.dispose(),
  };
}

function closingOf(event: unknown): { code: number; reason: string } {
  const { code, reason } = event as { code: number; reason: string };
  return { code, reason };
}

function startOperation(client: Client, payload: SubscribePayload): SocketOperation {
  const results: ExecutionResult<Record<string, any>>[] = [];
  const waiting = new Set<() => void>();
  let end: SocketOperation['end'];
  const tell = (): void => [...waiting].forEach((check) => check());
  const close = client.subscribe<Record<string, any>>(payload, {
    next(result) {
      results.push(result as ExecutionResult<Record<string, any>>);
      tell();
    },
    error(error) {
      end = { error: Array.isArray(error) ? { errors: error } : closingOf(error) };
      tell();
    },
    complete() {
      end = {};
      tell();
    },
  });
  const operation: SocketOperation = {
    results,
    get end() {
      return end;
    },
    until: (what, holds) =>
      new Promise((done, never) => {
        const finish = (verdict: () => void): void => {
          clearTimeout(timer);
          waiting.delete(check);
          verdict();
        };
        const fail = (): void =>
          finish(() => never(new Error(`Timed out: ${what}. Received: ${JSON.stringify({ results, end })}`)));
        const check = (): void => {
          if (holds(operation)) finish(done);
          else if (end) fail();
        };
        const timer = setTimeout(fail, patienceMs);
        waiting.add(check);
        check();
      }),
    close,
  };
  return operation;
}

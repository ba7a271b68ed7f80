import { setTimeout as pause } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { EventFormat } from './engines.ts';
import { forwardedHost } from './openBehind.ts';

/** An open subscription. */
export interface Subscription {
  readonly status: number;
  /** Results that have arrived, in order. */
  results(): any[];
  /** Whether the response has ended. */
  hasEnded(): boolean;
  close(): void;
}

/** A subscription request to an engine. */
interface SubscriptionRequest {
  readonly url: string;
  readonly format: EventFormat;
  readonly token: string | undefined;
  readonly query: string;
}

const patienceMs = 15_000;

/** Opens a subscription in one of the formats in which engines send events. */
export async function listen({ url, format, token, query }: SubscriptionRequest): Promise<Subscription> {
  const leaving = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      ...Object.fromEntries([forwardedHost]),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      accept: format,
    },
    body: JSON.stringify({ query }),
  });
  const contentType = response.headers.get('content-type') ?? '';
  let text = '';
  let isOver = false;
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  return {
    status: response.status,
    results() {
      if (contentType.startsWith('text/event-stream')) return eventResults(text);
      const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1];
      if (boundary !== undefined) return partResults(text, boundary);
      return isOver && text !== '' ? [JSON.parse(text)] : [];
    },
    hasEnded: () => isOver,
    close: () => leaving.abort(),
  };
}

/** Waits until a condition holds, and fails with the results of the subscription if it does not. */
export async function until(subscription: Subscription, holds: () => boolean): Promise<void> {
  const begun = performance.now();
  while (!holds()) {
    if (performance.now() - begun > patienceMs)
      throw new Error(`The condition never held. Results: ${JSON.stringify(subscription.results())}`);
    await pause(20);
  }
}

function eventResults(text: string): any[] {
  const results: any[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === 'next') results.push(JSON.parse(data));
    },
  });
  parser.feed(text);
  return results;
}

/** Returns the payloads of complete parts. A heartbeat has none, and a fatal error has `errors` instead. */
function partResults(text: string, boundary: string): any[] {
  const parts = text.split(`--${boundary}`).slice(1);
  return parts.flatMap((part) => {
    // The last part may be incomplete, and a delimiter without a part ends the response.
    const [, body = ''] = /\r\n\r\n([^]+)\r\n$/.exec(part) ?? [];
    if (body === '') return [];
    const { payload, errors } = JSON.parse(body);
    if (payload) return [payload];
    return errors ? [{ errors }] : [];
  });
}

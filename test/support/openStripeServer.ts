import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { signatureHeader } from '../../subgraphs/identity/payment-provider/verifySignature.ts';
import { openStripeAccount, Refused, type StripeObject } from './openStripeAccount.ts';

/**
 * What the next order meets. Carried out, and the answer is lost (`lostAnswer`) or never comes (`silent`); not carried out,
 * with an answer (`error`, `refuse`) or without one (`hold`); `none`: all is well.
 */
export type StripeFault = 'lostAnswer' | 'silent' | 'error' | 'refuse' | 'hold' | 'none';

/** A server of Stripe's HTTP protocol as far as the provider speaks it: forms in, JSON out, idempotency keys, signed events. */
export interface StripeServer {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly objects: Map<string, StripeObject>;
  /** As in `POST /v1/refunds`. */
  readonly calls: string[];
  faults: StripeFault[];
  /** How often money was taken, by payment intent. */
  readonly charges: Map<string, number>;
  /** Does what a payer's browser does. */
  confirm(intentId: string, method: string): void;
  /** An event about an object, as it is sent. */
  event(object: StripeObject, changes?: object): { id: string; body: string; signature: string };
  close(): Promise<void>;
}

const secretKey = 'sk_test_of_the_tests';
const webhookSecret = 'whsec_of_the_tests';

/** Opens it on the loopback; whoever opens it closes it. */
export async function openStripeServer(): Promise<StripeServer> {
  const { objects, charges, pay, act } = openStripeAccount();
  const replies = new Map<string, { form: string; status: number; body: object }>();
  const calls: string[] = [];
  let last = 0;
  const faults: { next: StripeFault[] } = { next: [] };
  const server = createServer(async (request, response) => {
    const form = await text(request);
    const [path = '', query = ''] = (request.url ?? '').split('?');
    calls.push(`${request.method} ${path}`);
    const fault = request.method === 'GET' ? undefined : faults.next.shift();
    if (fault === 'hold') return;
    if (fault === 'error') return reply(response, 500, { error: { type: 'api_error', message: 'trouble' } });
    if (fault === 'refuse')
      return reply(response, 400, {
        error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'no' },
      });
    const { status, body } = answer(request, { path, form: form || query });
    if (fault === 'lostAnswer') return void response.destroy();
    if (fault === 'silent') return;
    reply(response, status, body);
  });

  function answer(
    request: IncomingMessage,
    { path, form }: { path: string; form: string },
  ): { status: number; body: object } {
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      return { status: 401, body: { error: { type: 'invalid_request_error', message: 'key' } } };
    const idempotencyKey = request.headers['idempotency-key'];
    const key = `${path} ${String(idempotencyKey)}`;
    const earlier = request.method === 'POST' && idempotencyKey !== undefined ? replies.get(key) : undefined;
    if (earlier && earlier.form !== form)
      return { status: 400, body: { error: { type: 'idempotency_error', message: 'other parameters' } } };
    if (earlier) return earlier;
    const done = { form, ...run() };
    replies.set(key, done);
    return done;

    function run(): { status: number; body: object } {
      try {
        const call = { method: request.method ?? '', path: path.split('/').slice(2), params: decode(form) };
        return { status: 200, body: act(call) };
      } catch (error) {
        if (error instanceof Refused) return { status: error.status, body: { error: error.error } };
        throw error;
      }
    }
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secretKey,
    webhookSecret,
    objects,
    calls,
    charges,
    get faults() {
      return faults.next;
    },
    set faults(next) {
      faults.next = next;
    },
    confirm: (intentId, method) => void pay(intentId, method),
    event(object, changes = {}) {
      const id = `evt_${(last += 1)}`;
      const type = `${object.object}.updated`;
      const body = JSON.stringify({
        id,
        object: 'event',
        type,
        livemode: false,
        data: { object },
        ...changes,
      });
      return { id, body, signature: signatureHeader(webhookSecret, Date.now(), Buffer.from(body)) };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** `metadata[paymentId]=x` as nested objects. */
function decode(form: string): any {
  const result: any = {};
  for (const [name, value] of new URLSearchParams(form)) {
    const path = name.split(/\[|\]\[?/).filter((part) => part !== '');
    let at = result;
    for (const part of path.slice(0, -1)) at = at[part] ??= {};
    at[path.at(-1) ?? ''] = value;
  }
  return result;
}

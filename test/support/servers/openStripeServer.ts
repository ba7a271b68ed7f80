import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { signatureHeader } from '../../../subgraphs/identity/payments/payment-provider/verifySignature.ts';
import { openStripeAccount, type StripeAccount } from './openStripeAccount.ts';
import { Refused, type StripeCall, type StripeObject } from './openStripeStore.ts';

/**
 * Fault of the next order. `lostAnswer` and `silent` execute it and lose the answer or never answer. `error`, `revokedKey`
 * and `refuse` do not execute it and answer without storing the answer for the idempotency key. `hold` neither executes it
 * nor answers. `storedError` and `lateError` store an error for the key, before or after executing the order. `none` is no
 * fault.
 */
export type StripeFault =
  | 'lostAnswer'
  | 'silent'
  | 'error'
  | 'revokedKey'
  | 'storedError'
  | 'lateError'
  | 'refuse'
  | 'hold'
  | 'none';

/** A server with the part of Stripe's HTTP protocol that the product uses, with idempotency keys and signed events. */
export interface StripeServer extends Pick<StripeAccount, 'dispute' | 'setDispute' | 'hidesFees'> {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly objects: Map<string, StripeObject>;
  /** As in `POST /v1/refunds`. */
  readonly calls: string[];
  faults: StripeFault[];
  /** How often money was taken, by payment intent. */
  readonly charges: Map<string, number>;
  /** Money of a connected account, or of the platform (null), in minor units of Stripe's. */
  balance(account: string | null, currency: string): number;
  /** Sets the state of a payout at the bank. A paid payout can fail. */
  setPayout(id: string, status: 'paid' | 'failed'): StripeObject;
  /** Deletes idempotency keys, as after a day. */
  forgetKeys(): void;
  /** Confirms an intent, as a payer's browser does. */
  confirm(intentId: string, method: string): void;
  /** A signed event about an object. */
  event(object: StripeObject, changes?: object): { id: string; body: string; signature: string };
  close(): Promise<void>;
}

const secretKey = 'sk_test_of_the_tests';
const webhookSecret = 'whsec_of_the_tests';

/** Lifetime of an idempotency key at Stripe. */
const keyMs = 24 * 3_600_000;

/** The request with a key, and its answer. */
interface Reply {
  order: string;
  at: number;
  status: number;
  body: object;
}

/**
 * Opens the server on the loopback. The caller closes it.
 *
 * @param now its clock
 */
export async function openStripeServer(now: () => number = Date.now): Promise<StripeServer> {
  const stripe = openStripeAccount(now);
  const { objects, charges, balance, pay, dispute, setDispute, act } = stripe;
  const replies = new Map<string, Reply>();
  const calls: string[] = [];
  let last = 0;
  const faults: { next: StripeFault[] } = { next: [] };
  const server = createServer(async (request, response) => {
    const form = await text(request);
    const [path = '', query = ''] = (request.url ?? '').split('?');
    calls.push(`${request.method} ${path}`);
    const fault = request.method === 'GET' ? undefined : faults.next.shift();
    if (fault === 'hold') return;
    if (fault === 'error') return reply(response, trouble);
    if (fault === 'revokedKey') return reply(response, refusal(401, 'Expired API Key provided.'));
    if (fault === 'refuse')
      return reply(response, {
        status: 400,
        body: { error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'no' } },
      });
    const answered = answer(request, { path, form: form || query, fault });
    if (fault === 'lostAnswer') return void response.destroy();
    if (fault === 'silent') return;
    reply(response, answered);
  });

  function answer(
    request: IncomingMessage,
    { path, form, fault }: { path: string; form: string; fault: StripeFault | undefined },
  ): Answer {
    const { authorization, 'idempotency-key': key, 'stripe-account': account } = request.headers;
    if (authorization !== `Bearer ${secretKey}`) return refusal(401, 'key');
    const order = `${request.method} ${path} ${form}`;
    const place = `${String(account)} ${String(key)}`;
    const earlier = key === undefined ? undefined : replies.get(place);
    if (earlier && now() - earlier.at < keyMs)
      return earlier.order === order
        ? { ...earlier, isReplayed: true }
        : refusal(400, 'other parameters', 'idempotency_error');
    const call: StripeCall = {
      method: request.method ?? '',
      path: path.split('/').slice(2),
      params: decode(form),
      account: typeof account === 'string' ? account : null,
    };
    const done = fault === 'storedError' ? trouble : carryOut(call, fault);
    if (key !== undefined) replies.set(place, { order, at: now(), ...done });
    return done;
  }

  function carryOut(call: StripeCall, fault: StripeFault | undefined): Answer {
    try {
      const body = act(call);
      return fault === 'lateError' ? trouble : { status: 200, body };
    } catch (error) {
      if (error instanceof Refused) return { status: error.status, body: { error: error.error } };
      throw error;
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
    balance,
    get hidesFees() {
      return stripe.hidesFees;
    },
    set hidesFees(hides) {
      stripe.hidesFees = hides;
    },
    dispute,
    setDispute,
    setPayout(id, status) {
      const payout = objects.get(id);
      if (payout?.object !== 'payout') throw new Error(`There is no payout ${id}.`);
      const failure_code = status === 'failed' ? 'account_closed' : null;
      objects.set(id, { ...payout, status, failure_code });
      return { ...payout, status, failure_code };
    },
    get faults() {
      return faults.next;
    },
    set faults(next) {
      faults.next = next;
    },
    forgetKeys: () => replies.clear(),
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
      return { id, body, signature: signatureHeader(webhookSecret, now(), Buffer.from(body)) };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

interface Answer {
  status: number;
  body: object;
  isReplayed?: boolean;
}

const trouble: Answer = { status: 500, body: { error: { type: 'api_error', message: 'trouble' } } };

function refusal(status: number, message: string, type = 'invalid_request_error'): Answer {
  return { status, body: { error: { type, message } } };
}

function reply(response: ServerResponse, { status, body, isReplayed = false }: Answer): void {
  const replayed = isReplayed && { 'idempotent-replayed': 'true' };
  response.writeHead(status, { 'content-type': 'application/json', ...replayed });
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

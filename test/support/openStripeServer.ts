import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { signatureHeader } from '../../subgraphs/identity/payment-provider/verifySignature.ts';

/**
 * What the next order meets. Carried out, and the answer is lost (`lostAnswer`) or never comes (`silent`); not carried out,
 * with an answer (`error`, `refuse`) or without one (`hold`); `none`: all is well.
 */
export type StripeFault = 'lostAnswer' | 'silent' | 'error' | 'refuse' | 'hold' | 'none';

export interface StripeObject {
  id: string;
  object: string;
  [member: string]: any;
}

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

class Refused extends Error {
  readonly status: number;
  readonly error: object;
  constructor(status: number, error: object) {
    super(JSON.stringify(error));
    this.status = status;
    this.error = error;
  }
}

interface Call {
  method: string;
  path: string[];
  params: any;
}

/** Opens it on the loopback; whoever opens it closes it. */
export async function openStripeServer(): Promise<StripeServer> {
  const objects = new Map<string, StripeObject>();
  const charges = new Map<string, number>();
  const replies = new Map<string, { form: string; status: number; body: object }>();
  const calls: string[] = [];
  let last = 0;
  const make = (prefix: string, object: string, members: object): StripeObject => {
    const made = {
      id: `${prefix}_${(last += 1)}`,
      object,
      created: Math.floor(Date.now() / 1000),
      livemode: false,
    };
    objects.set(made.id, { ...made, ...members });
    return find(made.id);
  };
  const find = (id: string): StripeObject => {
    const found = objects.get(id);
    if (!found)
      throw new Refused(404, { type: 'invalid_request_error', code: 'resource_missing', message: id });
    return found;
  };
  const change = (id: string, members: object): StripeObject => {
    objects.set(id, { ...find(id), ...members });
    return find(id);
  };

  function pay(id: string, method: string): StripeObject {
    if (method === 'pm_card_chargeDeclined') {
      const error = {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'insufficient_funds',
        message: 'No.',
      };
      const payment_intent = change(id, { status: 'requires_payment_method', last_payment_error: error });
      throw new Refused(402, { ...error, payment_intent });
    }
    if (method === 'pm_card_threeDSecure') {
      const next_action = { type: 'redirect_to_url', redirect_to_url: { url: 'https://bank.example/ask' } };
      return change(id, { status: 'requires_action', next_action });
    }
    return change(id, {
      status: 'requires_capture',
      amount_capturable: find(id).amount,
      next_action: null,
      last_payment_error: null,
    });
  }

  function paymentIntents({ method, path: [id = '', action], params }: Call): StripeObject {
    if (method === 'GET') return find(id);
    if (id === '') {
      const intent = make('pi', 'payment_intent', {
        amount: Number(params.amount),
        amount_capturable: 0,
        amount_received: 0,
        currency: params.currency,
        metadata: params.metadata ?? {},
        status: 'requires_payment_method',
        client_secret: `pi_${last}_secret_x`,
        next_action: null,
        last_payment_error: null,
      });
      return params.confirm === 'true' ? pay(intent.id, params.payment_method) : intent;
    }
    const { status, amount } = find(id);
    const wrong = { type: 'invalid_request_error', code: 'payment_intent_unexpected_state', message: status };
    if (action === 'capture') {
      if (status !== 'requires_capture') throw new Refused(400, wrong);
      charges.set(id, (charges.get(id) ?? 0) + 1);
      const amount_received = Number(params.amount_to_capture ?? amount);
      return change(id, { status: 'succeeded', amount_received, amount_capturable: 0 });
    }
    if (status === 'succeeded' || status === 'canceled') throw new Refused(400, wrong);
    return change(id, { status: 'canceled', amount_capturable: 0 });
  }

  function refunds({ method, path: [id = ''], params }: Call): StripeObject {
    if (method === 'GET') return find(id);
    const { amount_received: captured, currency } = find(params.payment_intent);
    const earlier = [...objects.values()].filter((one) => one.payment_intent === params.payment_intent);
    const left = captured - earlier.reduce((sum, { amount }) => sum + amount, 0);
    if (Number(params.amount) > left)
      throw new Refused(400, { type: 'invalid_request_error', code: 'charge_already_refunded' });
    const { payment_intent, metadata } = params;
    const members = {
      payment_intent,
      metadata,
      amount: Number(params.amount),
      currency,
      status: 'succeeded',
    };
    return make('re', 'refund', { ...members, failure_reason: null });
  }

  function act(call: Call): object {
    const [resource, ...path] = call.path;
    const { params, method } = call;
    const [id = ''] = path;
    switch (resource) {
      case 'payment_intents':
        return paymentIntents({ ...call, path });
      case 'refunds':
        return refunds({ ...call, path });
      case 'customers':
        return method === 'DELETE' ? { id, deleted: objects.delete(id) } : make('cus', 'customer', params);
      case 'setup_intents': {
        if (method === 'GET') return find(id);
        const secret = { client_secret: `seti_${last}_secret_x`, next_action: null };
        return make('seti', 'setup_intent', {
          ...params,
          ...secret,
          status: 'requires_payment_method',
          payment_method: null,
        });
      }
      case 'payment_methods':
        return { id, object: 'payment_method', customer: null };
      case 'accounts': {
        if (method === 'GET') return find(id);
        const state = {
          payouts_enabled: false,
          details_submitted: false,
          capabilities: { transfers: 'inactive' },
        };
        return make('acct', 'account', {
          ...params,
          ...state,
          requirements: { currently_due: ['external_account'] },
        });
      }
      case 'account_links':
        return {
          object: 'account_link',
          url: 'https://connect.example/x',
          expires_at: Math.floor(Date.now() / 1000) + 600,
        };
      case 'transfers':
        return make('tr', 'transfer', { ...params, amount: Number(params.amount) });
      case 'payouts': {
        if (method === 'GET') return find(id);
        const state = {
          status: 'in_transit',
          arrival_date: Math.floor(Date.now() / 1000),
          failure_code: null,
        };
        return make('po', 'payout', { ...params, ...state, amount: Number(params.amount) });
      }
      default:
        throw new Refused(404, { type: 'invalid_request_error', message: `no ${resource}` });
    }
  }

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

/** An object of the account, as the API shows it. */
export interface StripeObject {
  id: string;
  object: string;
  [member: string]: any;
}

/** A request that Stripe refuses. */
export class Refused extends Error {
  readonly status: number;
  readonly error: object;
  constructor(status: number, error: object) {
    super(JSON.stringify(error));
    this.status = status;
    this.error = error;
  }
}

/** A call of the API: `path` without the version, parameters as nested objects. */
export interface StripeCall {
  method: string;
  path: string[];
  params: any;
}

/** What an account at Stripe holds, and what calls of its API do to it. */
export interface StripeAccount {
  readonly objects: Map<string, StripeObject>;
  /** How often money was taken, by payment intent. */
  readonly charges: Map<string, number>;
  /** What a payer's browser does with a method. */
  pay(intentId: string, method: string): StripeObject;
  /** @throws Refused */
  act(call: StripeCall): object;
}

/** Opens an empty account. */
export function openStripeAccount(): StripeAccount {
  const objects = new Map<string, StripeObject>();
  const charges = new Map<string, number>();
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

  function paymentIntents({ method, path: [id = '', action], params }: StripeCall): StripeObject {
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

  function refunds({ method, path: [id = ''], params }: StripeCall): StripeObject {
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

  function act(call: StripeCall): object {
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

  return { objects, charges, pay, act };
}

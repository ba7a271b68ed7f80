import { openStripeConnect } from './openStripeConnect.ts';
import { openStripeDisputes, type StripeDisputes } from './openStripeDisputes.ts';
import { openStripeStore, Refused, type StripeCall, type StripeObject } from './openStripeStore.ts';
import { faultOf, feeOf } from './stripeMoney.ts';

/** An account at Stripe, and the calls of its API. */
export interface StripeAccount extends Pick<StripeDisputes, 'dispute' | 'setDispute'> {
  readonly objects: Map<string, StripeObject>;
  /** Number of captures by payment intent. */
  readonly charges: Map<string, number>;
  /** Balance of a connected account, or of the platform (null), in Stripe's minor units. */
  balance(account: string | null, currency: string): number;
  /** Whether the fee of a charge stays unknown after its capture, as with some payment methods. */
  hidesFees: boolean;
  /** Confirms an intent with a method, as a payer's browser does. */
  pay(intentId: string, method: string): StripeObject;
  /** @throws Refused */
  act(call: StripeCall): object;
}

/**
 * Opens an empty account.
 *
 * @param now its clock
 */
export function openStripeAccount(now: () => number): StripeAccount {
  const charges = new Map<string, number>();
  const state = { hidesFees: false };
  const { objects, store } = openStripeStore(now);
  const { make, find, change, all } = store;
  const connect = openStripeConnect(store);
  const disputes = openStripeDisputes(store);

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

  function paymentIntents({ method, path: [id = '', action], params }: StripeCall): object {
    if (method === 'GET' && id === '') {
      const own = all('payment_intent').filter(({ customer }) => customer === params.customer);
      return { object: 'list', data: own.toReversed(), has_more: false };
    }
    if (method === 'GET') return shown(find(id), params);
    if (id === '') {
      assertCharge(Number(params.amount), params.currency);
      const intent = make('pi', 'payment_intent', {
        amount: Number(params.amount),
        amount_capturable: 0,
        amount_received: 0,
        currency: params.currency,
        metadata: params.metadata ?? {},
        customer: params.customer ?? null,
        status: 'requires_payment_method',
        client_secret: `pi_${objects.size}_secret_x`,
        next_action: null,
        last_payment_error: null,
        latest_charge: null,
      });
      return params.confirm === 'true' ? pay(intent.id, params.payment_method) : intent;
    }
    const { status, amount } = find(id);
    const wrong = { type: 'invalid_request_error', code: 'payment_intent_unexpected_state', message: status };
    if (action === 'capture') {
      if (status !== 'requires_capture') throw new Refused(400, wrong);
      const amount_received = Number(params.amount_to_capture ?? amount);
      assertCharge(amount_received, find(id).currency);
      if (amount_received > amount)
        throw new Refused(400, { type: 'invalid_request_error', code: 'amount_too_large' });
      charges.set(id, (charges.get(id) ?? 0) + 1);
      const { id: latest_charge } = charge(id, amount_received);
      const captured = { status: 'succeeded', amount_received, amount_capturable: 0, latest_charge };
      return shown(change(id, captured), params);
    }
    if (['succeeded', 'canceled', 'processing'].includes(status)) throw new Refused(400, wrong);
    return change(id, { status: 'canceled', amount_capturable: 0 });
  }

  /** The charge of a capture. Its fee is deducted from the balance at once, and refunds do not return it. */
  function charge(payment_intent: string, amount: number): StripeObject {
    const { currency } = find(payment_intent);
    const fee = feeOf(amount);
    const facts = { object: 'balance_transaction', type: 'charge', amount, fee, net: amount - fee, currency };
    const balance_transaction = { id: `txn_of_${payment_intent}`, ...facts };
    return make('ch', 'charge', { payment_intent, amount, currency, balance_transaction });
  }

  /** An intent with the members that the call expands. */
  function shown(intent: StripeObject, { expand }: StripeCall['params']): StripeObject {
    if (intent.latest_charge === null || expand?.[0] !== 'latest_charge.balance_transaction') return intent;
    const latest_charge = find(intent.latest_charge, 'charge');
    return {
      ...intent,
      latest_charge: state.hidesFees ? { ...latest_charge, balance_transaction: null } : latest_charge,
    };
  }

  function refunds({ method, path: [id = ''], params }: StripeCall): object {
    if (method === 'GET' && id !== '') return find(id, 'refund');
    find(params.payment_intent, 'payment_intent');
    const earlier = all('refund').filter((one) => one.payment_intent === params.payment_intent);
    if (method === 'GET') return { object: 'list', data: earlier.toReversed(), has_more: false };
    const { amount_received: captured, currency } = find(params.payment_intent);
    assertCharge(Number(params.amount), currency);
    if (disputes.isCharged(params.payment_intent))
      throw new Refused(400, { type: 'invalid_request_error', code: 'charge_disputed' });
    const standing = earlier.filter(({ status }) => status !== 'failed' && status !== 'canceled');
    const left = captured - standing.reduce((sum, { amount }) => sum + amount, 0);
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

  /** Every method belongs to a customer until it is detached, which succeeds once. */
  function paymentMethods({ method, path: [id = ''] }: StripeCall): object {
    const isDetached = objects.has(id);
    if (method === 'GET') return { id, object: 'payment_method', customer: isDetached ? null : 'cus_x' };
    const message =
      'The payment method you provided is not attached to a customer so detachment is impossible.';
    if (isDetached) throw new Refused(400, { type: 'invalid_request_error', message });
    objects.set(id, { id, object: 'payment_method', customer: null });
    return { id, object: 'payment_method', customer: null };
  }

  function assertCharge(amount: number, currency: string): void {
    const fault = faultOf(amount, currency, 'charge');
    if (fault) throw new Refused(400, { type: 'invalid_request_error', message: fault });
  }

  function act(call: StripeCall): object {
    const connected = connect.act(call);
    if (connected) return connected;
    const [resource, ...path] = call.path;
    const { params, method } = call;
    const [id = '', action] = path;
    switch (resource) {
      case 'payment_intents':
        return paymentIntents({ ...call, path });
      case 'refunds':
        return refunds({ ...call, path });
      case 'disputes':
        return disputes.act({ ...call, path });
      case 'customers':
        if (method === 'GET') {
          const data = all('customer').filter(({ email }) => email === params.email);
          return { object: 'list', data: data.toReversed(), has_more: false };
        }
        if (method === 'POST') return make('cus', 'customer', params);
        find(id, 'customer');
        return { id, deleted: objects.delete(id) };
      case 'setup_intents': {
        if (method === 'GET') return find(id);
        if (action === 'cancel') {
          const { status: message } = find(id);
          const wrong = { type: 'invalid_request_error', code: 'setup_intent_unexpected_state', message };
          if (['succeeded', 'canceled', 'processing'].includes(message)) throw new Refused(400, wrong);
          return change(id, { status: 'canceled' });
        }
        const secret = { client_secret: `seti_${objects.size}_secret_x`, next_action: null };
        return make('seti', 'setup_intent', {
          ...params,
          ...secret,
          status: 'requires_payment_method',
          payment_method: null,
        });
      }
      case 'payment_methods':
        return paymentMethods({ ...call, path });
      default:
        throw new Refused(404, { type: 'invalid_request_error', message: `no ${resource}` });
    }
  }

  const { dispute, setDispute } = disputes;
  return {
    objects,
    charges,
    balance: store.balance,
    get hidesFees() {
      return state.hidesFees;
    },
    set hidesFees(hides) {
      state.hidesFees = hides;
    },
    pay,
    dispute,
    setDispute,
    act,
  };
}

import type { ClientSession } from 'mongoose';
import { AppError } from '../../../../platform/errors/AppError.ts';
import { type KeptObjects, type KeptOptions, keptObjects } from '../kept/keptObjects.ts';
import { keptRefunds } from '../kept/keptRefunds.ts';
import type { ProviderObjectRecord } from '../kept/model.ts';
import type { PaymentProvider, ProviderPayment, ProviderPayout } from '../PaymentProvider.ts';
import { ProviderFailure } from '../ProviderFailure.ts';
import { readSignedJson } from '../readSignedJson.ts';

/**
 * Returns the provider of bank transfers. Incoming money is booked by finance, or by a program of the bank that signs
 * its events. Finance makes the transfers of refunds and payouts, and records them by `settleRefund` and
 * `settlePayout`.
 *
 * @param secrets of booking events; without one, events are refused
 */
export function manualProvider(secrets: readonly string[], options: KeptOptions): PaymentProvider {
  const objects = keptObjects('man', options);
  return {
    name: 'manual',
    stepOf: () => 1,
    ...transfers(objects),
    ...keptRefunds(objects, 'awaits_transfer'),
    chargebacks: null,
    ...payouts(objects, options),
    createCustomer: async ({ userId }) => ({ ref: objects.refOf('customer', userId) }),
    findCustomer: async ({ userId }) => ({ ref: objects.refOf('customer', userId) }),
    deleteCustomer: async () => undefined,
    createMethod: refuseMethods,
    readMethod: refuseMethods,
    cancelMethod: refuseMethods,
    deleteMethod: refuseMethods,
    async readEvent(webhook) {
      const { id, type, paymentId, amount, currency } = readSignedJson(webhook, secrets, options.now());
      if (typeof id !== 'string' || id === '' || type !== 'payment.booked' || typeof paymentId !== 'string')
        throw new AppError('malformed_request', 'The event contains neither its id nor the booked payment.');
      const booked =
        typeof amount === 'number' && typeof currency === 'string'
          ? await bookOrClaim(objects, paymentId, { amount, currency, bookedBy: id })
          : null;
      if (booked) return { id, type, object: { kind: 'payment', ref: booked._id, accountRef: null } };
      const known = await objects.find(objects.refOf('payment', paymentId));
      return { id, type, object: null, unbooked: { paymentId, state: known?.status ?? null } };
    },
  };
}

/** A booked transfer. */
interface Transfer {
  /** Minor units. */
  amount: number;
  currency: string;
  /** Id of the bank's event; null if finance books the transfer. */
  bookedBy: string | null;
}

/**
 * Records that the money of a payment arrived. Returns null without a change if the amount differs or the payment does
 * not wait for money; finance must then check the transfer.
 */
export async function bookTransfer(
  objects: KeptObjects,
  paymentId: string,
  { amount, currency, bookedBy }: Transfer,
  session?: ClientSession,
): Promise<ProviderObjectRecord | null> {
  const ref = objects.refOf('payment', paymentId);
  const waits = { status: 'requires_action', amount, currency };
  return objects.change(ref, waits, { $set: { status: 'authorized', bookedBy } }, session);
}

/** Returns whether the money of a payment has arrived, also if it was not captured. */
export async function isTransferBooked(objects: KeptObjects, paymentId: string): Promise<boolean> {
  const record = await objects.find(objects.refOf('payment', paymentId));
  return record !== null && hasArrived(record);
}

async function bookOrClaim(
  objects: KeptObjects,
  paymentId: string,
  transfer: Transfer,
): Promise<ProviderObjectRecord | null> {
  const booked = await bookTransfer(objects, paymentId, transfer);
  return booked ?? claimBooked(objects, paymentId, transfer);
}

/**
 * Finds the payment to which this transfer was booked before. Either the event is repeated because its response was
 * lost, or finance booked the transfer before the bank reported it. The first event about a transfer that finance
 * booked claims it. Any other event is about a second transfer.
 */
async function claimBooked(
  objects: KeptObjects,
  paymentId: string,
  { amount, currency, bookedBy }: Transfer,
): Promise<ProviderObjectRecord | null> {
  const took = {
    $or: [{ status: { $in: ['authorized', 'succeeded'] } }, { status: 'canceled', isReceived: true }],
  };
  const isSame = { amount, currency, bookedBy: { $in: [bookedBy, null] } };
  return objects.change(objects.refOf('payment', paymentId), { ...took, ...isSame }, { $set: { bookedBy } });
}

function transfers(
  objects: KeptObjects,
): Pick<PaymentProvider, 'createPayment' | 'readPayment' | 'capturePayment' | 'cancelPayment'> {
  const change = async (ref: string, from: string[], set: object, to: string): Promise<ProviderPayment> => {
    const changed = await objects.change(ref, { status: { $in: from } }, { $set: { ...set, status: to } });
    const payment = toPayment(changed ?? (await objects.read(ref, 'payment')));
    if (payment.state === to) return payment;
    throw new ProviderFailure('refused', 'unexpected_state', `The transfer is ${payment.state}.`);
  };
  return {
    async createPayment({ paymentId, amount }) {
      const payment = { kind: 'payment', ownId: paymentId, ...amount, status: 'requires_action' } as const;
      return toPayment(await objects.make(payment));
    },
    readPayment: async (ref) => toPayment(await objects.read(ref, 'payment')),
    capturePayment: (ref, { amount: { amount } }) =>
      change(ref, ['authorized'], { amountCaptured: amount }, 'succeeded'),
    async cancelPayment(ref) {
      // The transfer has arrived, so it must be returned.
      await objects.change(ref, { status: 'authorized' }, { $set: { status: 'canceled', isReceived: true } });
      return change(ref, ['requires_action'], {}, 'canceled');
    },
  };
}

function hasArrived({ status, isReceived }: ProviderObjectRecord): boolean {
  return status === 'authorized' || status === 'succeeded' || (status === 'canceled' && isReceived === true);
}

function toPayment(record: ProviderObjectRecord): ProviderPayment {
  const { _id: ref, ownId: paymentId, amount, currency, amountCaptured } = record;
  const state = record.status as ProviderPayment['state'];
  const isOver = state !== 'authorized' && hasArrived(record);
  return {
    ref,
    paymentId,
    state,
    amount,
    currency,
    amountCaptured,
    amountCapturable: state === 'authorized' ? amount : 0,
    clientSecret: null,
    action: state === 'requires_action' ? { type: 'bank_transfer', url: null } : null,
    refusal: null,
    // Money on the platform's own account is not returned automatically.
    authorizedUntil: null,
    providerFee: { amount: 0, currency },
    amountToReturn: isOver ? amount - amountCaptured : 0,
  };
}

type Payouts = Pick<
  PaymentProvider,
  'createAccount' | 'readAccount' | 'createOnboardingLink' | 'transfers' | 'createPayout' | 'readPayout'
>;

/** Returns payouts. The account of an approved dealer is known, so no provider is queried. */
function payouts(objects: KeptObjects, { now }: KeptOptions): Payouts {
  return {
    async createAccount({ dealerId, currency }) {
      const { _id } = await objects.make({ kind: 'account', ownId: dealerId, currency, status: 'active' });
      return { ref: _id, dealerId, state: 'active', requirementsDue: [] };
    },
    async readAccount(ref) {
      const { ownId: dealerId } = await objects.read(ref, 'account');
      return { ref, dealerId, state: 'active', requirementsDue: [] };
    },
    createOnboardingLink: async (_, { returnUrl }) => ({
      url: returnUrl,
      expiresAt: new Date(now() + 600_000),
    }),
    transfers: null,
    async createPayout({ payoutId, attempt, amount }) {
      const payout = {
        kind: 'payout',
        ownId: `${payoutId}:${attempt}`,
        ...amount,
        status: 'awaits_transfer',
      } as const;
      return toPayout(await objects.make(payout));
    },
    readPayout: async (ref) => toPayout(await objects.read(ref, 'payout')),
  };
}

function toPayout({ _id: ref, ownId, amount, currency }: ProviderObjectRecord): ProviderPayout {
  const [payoutId = null] = ownId.split(':');
  return { ref, payoutId, state: 'awaits_transfer', amount, currency, arrivalDate: null, failureCode: null };
}

async function refuseMethods(): Promise<never> {
  throw new ProviderFailure('refused', 'unsupported', 'Payment methods cannot be stored for bank transfers.');
}

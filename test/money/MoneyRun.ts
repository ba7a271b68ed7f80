import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { collection } from '../authorization/world/collection.ts';
import { openAccount } from '../crashes/moneyWorld.ts';
import { payableDealer, listingPrice as price } from '../support/people/payableDealer.ts';
import type { SeededDealer, SeededInstallation, SeededUser } from '../support/seed.ts';
import type { StripeServer } from '../support/servers/openStripeServer.ts';
import type { TestStack } from '../support/stack/openTestStack.ts';

/** Product, Stripe server and installation of runs. */
export interface MoneyPlace {
  stack: TestStack;
  stripe: StripeServer;
  market: SeededInstallation;
  finance: SeededUser;
}

/** A mutation that can be repeated under its key. */
export interface Call {
  name: string;
  input: { idempotencyKey: string; [member: string]: unknown };
  as: SeededUser;
}

/** A dealer, its buyers, and the history of their money, which no other run changes. */
export interface MoneyRun extends MoneyPlace {
  garage: SeededDealer;
  buyers: readonly [SeededUser, SeededUser];
  listings: string[];
  /** Last known state of each record, by its id. */
  seen: Map<string, string>;
  /** The last call whose process died. */
  unanswered: Call | null;
  /** Number of processes that died. */
  deaths: number;
}

/** Price of the third listing of a run, in another currency. */
const foreignPrice = { ...price, currency: 'CHF' };

export async function beginRun(place: MoneyPlace, sales = 3): Promise<MoneyRun> {
  const { market } = place;
  const garage = await payableDealer(market);
  await openAccount(place, garage.id);
  const buyers = [await market.user(), await market.user()] as const;
  const listings: string[] = [];
  for (let count = 0; count < sales; count += 1)
    listings.push((await garage.listing({ published: true, price: count === 2 ? foreignPrice : price })).id);
  return { ...place, garage, buyers, listings, seen: new Map(), unanswered: null, deaths: 0 };
}

export const paymentsOf = ({ garage }: MoneyRun) =>
  collection('payments').find({ 'payee.id': garage.id }).sort({ createdAt: 1, _id: 1 }).toArray();

/** Stores a Stripe card of a payer and returns its id. */
export async function keepCard(
  { market }: MoneyPlace,
  methodRef: string,
  { id: userId }: { id: string },
): Promise<string> {
  const [_id, at] = [newId('paymentMethod'), new Date()];
  const facts = { provider: 'stripe', customerRef: 'cus_x', methodRef, state: 'active', type: 'card' };
  const own = { installationId: market.installation.id, userId, createdAt: at, updatedAt: at };
  await collection('payment_methods').insertOne({ _id, ...own, ...facts });
  return _id;
}

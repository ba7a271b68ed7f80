import { payoutAccountId } from '../../subgraphs/identity/payout-account/model.ts';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { collection } from '../authorization/collection.ts';
import type { StripeServer } from '../support/openStripeServer.ts';
import type { TestStack } from '../support/openTestStack.ts';
import { payableDealer, listingPrice as price } from '../support/payableDealer.ts';
import type { SeededDealer, SeededInstallation, SeededUser } from '../support/seed.ts';

/** Where runs take place. */
export interface MoneyPlace {
  stack: TestStack;
  stripe: StripeServer;
  shop: SeededInstallation;
  finance: SeededUser;
}

/** A mutation as it is sent, with its key. */
export interface Call {
  name: string;
  input: { idempotencyKey: string; [member: string]: unknown };
  as: SeededUser;
}

/** A dealer, its buyers, and what became of their money so far; nobody else touches it. */
export interface MoneyRun extends MoneyPlace {
  garage: SeededDealer;
  buyers: readonly [SeededUser, SeededUser];
  listings: string[];
  /** State in which each record was seen last, by its id. */
  seen: Map<string, string>;
  /** What was cut short last. */
  unanswered: Call | null;
  /** How many processes have died. */
  deaths: number;
}

export async function beginRun(place: MoneyPlace): Promise<MoneyRun> {
  const { shop } = place;
  const garage = await payableDealer(shop);
  await collection('payout_accounts').insertOne({
    _id: payoutAccountId(garage.id, 'stripe'),
    installationId: shop.installation.id,
    dealerId: garage.id,
    provider: 'stripe',
    ref: `acct_${garage.id}`,
    createdAt: new Date(),
  });
  const buyers = [await shop.user(), await shop.user()] as const;
  const listings: string[] = [];
  for (let count = 0; count < 3; count += 1)
    listings.push((await garage.listing({ published: true, price })).id);
  return { ...place, garage, buyers, listings, seen: new Map(), unanswered: null, deaths: 0 };
}

export const paymentsOf = ({ garage }: MoneyRun) =>
  collection('payments').find({ 'payee.id': garage.id }).sort({ createdAt: 1, _id: 1 }).toArray();

/** A card that somebody keeps; answers its id. */
export async function keepCard(
  { shop }: MoneyRun,
  methodRef: string,
  { id: userId }: SeededUser,
): Promise<string> {
  const [_id, at] = [newId('paymentMethod'), new Date()];
  const facts = { provider: 'stripe', customerRef: 'cus_x', methodRef, state: 'active', type: 'card' };
  const own = { installationId: shop.installation.id, userId, createdAt: at, updatedAt: at };
  await collection('payment_methods').insertOne({ _id, ...own, ...facts });
  return _id;
}

import { collection } from '../../authorization/world/collection.ts';
import type { SeededDealer, SeededInstallation } from '../seed.ts';

/** Default price of a listing of this dealer: 12,345.67 EUR. */
export const listingPrice = { amount: 1_234_567, currency: 'EUR' };

/** Creates a dealer who can receive payments, with a commission of 2.5 % and 99 cents, and 19 % tax on it. */
export async function payableDealer(
  shop: SeededInstallation,
  options: Parameters<SeededInstallation['dealer']>[0] = {},
): Promise<SeededDealer> {
  const dealer = await shop.dealer(options);
  await collection('dealers').updateOne(
    { _id: dealer.id },
    {
      $set: {
        'payout.accountState': 'active',
        commission: { rateBps: 250, fixed: { amount: 99, currency: 'EUR' }, taxRateBps: 1900 },
      },
    },
  );
  return dealer;
}

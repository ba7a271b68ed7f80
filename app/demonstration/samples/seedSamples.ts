import type { RoutedProduct } from '../../product/openProduct.ts';
import { actAs, type Caller } from '../Caller.ts';
import { findDealers, findInstallation } from '../findDealers.ts';
import { readListings } from '../seedListings.ts';
import { markSeeded } from '../seedMark.ts';
import type { Actor, SampleContext } from './SampleContext.ts';
import { seedAudit } from './seedAudit.ts';
import { seedConversations } from './seedConversations.ts';
import { seedModeration } from './seedModeration.ts';
import { seedMoney } from './seedMoney.ts';
import { seedPictures } from './seedPictures.ts';
import { seedTranslationWork } from './seedTranslationWork.ts';

/** Steps in the order in which they are created. Each can be repeated after an interrupted start. */
const steps: readonly (readonly [(context: SampleContext) => Promise<void>, string])[] = [
  [seedConversations, 'conversations, saved listings and a saved search of the buyer'],
  [seedModeration, 'reports, and listings for the moderator'],
  [seedTranslationWork, 'German translations in four further states'],
  [seedAudit, 'a finished audit'],
  [seedPictures, 'pictures'],
  // Last, because a sold listing gets no picture.
  [seedMoney, 'a sale, a deposit, a dispute and a payout'],
];

/**
 * Adds sample activity and pictures to the demonstration's cars.
 *
 * @throws the reason of the signal
 */
export async function seedSamples(
  product: RoutedProduct,
  { signal, progress }: Pick<SampleContext, 'signal' | 'progress'>,
): Promise<void> {
  const installation = findInstallation(product, 'demo');
  const actors: readonly Actor[] = [
    'admin',
    'buyer',
    'editor',
    'finance',
    'moderator',
    'newcomer',
    'translator',
  ];
  const entries: [Actor, Caller][] = [];
  for (const actor of actors)
    entries.push([actor, await actAs(product, { installation, email: `${actor}@demo.example` })]);
  const dealers = await findDealers(product);
  const listings = (await Promise.all(dealers.map(readListings))).flat();
  const as = Object.fromEntries(entries) as Record<Actor, Caller>;
  const context = { product, installation, dealers, listings, as, signal, progress };
  for (const [seed, what] of steps) {
    signal.throwIfAborted();
    await seed(context);
    progress(`demonstration: ${what}`);
  }
  await markSeeded('samples', new Date(product.platform.now()));
}

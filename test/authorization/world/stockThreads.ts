import type { SeededDealer } from '../../support/seed.ts';
import { type Item, type ItemName, nobodys } from './Item.ts';
import type { Parties } from './stockUp.ts';
import { storeThread } from './storeThread.ts';

/** Stores conversations with one message each, with the garage and in another installation. */
export async function stockThreads({
  shop,
  abroad,
  garage,
  foreignDealer,
  person,
  stranger,
}: Parties & { foreignDealer: SeededDealer }) {
  const ofGarage = { buyerUserId: person.id, dealerId: garage.id };
  const here = await storeThread(shop.installation.id, ofGarage);
  const abroadOnes = { buyerUserId: stranger.id, dealerId: foreignDealer.id };
  const there = await storeThread(abroad.installation.id, abroadOnes);
  const item = (name: ItemName, id: string, where: Item['where'], more: Partial<Item> = {}): Item => ({
    ...nobodys(name, name.startsWith('thread') ? 'conversation' : 'message'),
    id,
    where,
    ...more,
  });
  return {
    thread: item('thread', here.conversationId, 'here', { owner: 'garage', dealerId: garage.id }),
    threadElsewhere: item('threadElsewhere', there.conversationId, 'elsewhere'),
    threadNever: nobodys('threadNever', 'conversation'),
    // Its author is not a caller of the matrix.
    message: item('message', here.messageId, 'here'),
    messageElsewhere: item('messageElsewhere', there.messageId, 'elsewhere'),
    messageNever: nobodys('messageNever', 'message'),
  };
}

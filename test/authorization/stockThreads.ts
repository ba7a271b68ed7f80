import type { SeededDealer, SeededInstallation, SeededUser } from '../support/seed.ts';
import { type Item, type ItemName, nobodys } from './Item.ts';
import { storeThread } from './storeThread.ts';

/** Conversations with a message each: of somebody whom no caller is with the garage, and of another installation. */
export async function stockThreads({
  shop,
  abroad,
  garage,
  foreignDealer,
  person,
  stranger,
}: {
  shop: SeededInstallation;
  abroad: SeededInstallation;
  garage: SeededDealer;
  foreignDealer: SeededDealer;
  person: SeededUser;
  stranger: SeededUser;
}) {
  const here = await storeThread(shop.installation.id, { buyerUserId: person.id, dealerId: garage.id });
  const there = await storeThread(abroad.installation.id, {
    buyerUserId: stranger.id,
    dealerId: foreignDealer.id,
  });
  const item = (name: ItemName, id: string, changes: Partial<Item>): Item => ({
    ...nobodys(name, name.startsWith('thread') ? 'conversation' : 'message'),
    id,
    ...changes,
  });
  const ofGarage = { where: 'here', owner: 'garage', dealerId: garage.id } as const;
  return {
    thread: item('thread', here.conversationId, ofGarage),
    threadElsewhere: item('threadElsewhere', there.conversationId, { where: 'elsewhere' }),
    threadNever: nobodys('threadNever', 'conversation'),
    // Its author is nobody of the matrix.
    message: item('message', here.messageId, { where: 'here' }),
    messageElsewhere: item('messageElsewhere', there.messageId, { where: 'elsewhere' }),
    messageNever: nobodys('messageNever', 'message'),
  };
}

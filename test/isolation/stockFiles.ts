import type { MediaRecord } from '../../subgraphs/identity/media/model.ts';
import type { SeededDealer } from '../support/seed.ts';
import { storeMedia } from '../support/storeMedia.ts';
import { type Item, type ItemName, nobodys } from './Item.ts';
import type { Stock } from './stockUp.ts';

/** Files of the garage, one of them a paper for its owners only, of the seller, and of another installation. */
export async function stockFiles({
  shop,
  abroad,
  users,
  garage,
  foreignDealer,
}: Pick<Stock, 'shop' | 'abroad' | 'users' | 'garage'> & { foreignDealer: SeededDealer }) {
  const store = async (
    name: ItemName,
    owner: Item['owner'],
    who: MediaRecord['owner'],
    changes: Partial<MediaRecord> = {},
  ): Promise<Item> => {
    const { installation } = owner ? shop : abroad;
    const id = await storeMedia(installation.id, who, changes);
    const item = { ...nobodys(name, 'media'), where: owner ? 'here' : 'elsewhere', owner, id } as const;
    return who.type === 'dealer' ? { ...item, dealerId: who.id } : item;
  };
  const dealer = { type: 'dealer', id: garage.id } as const;
  const paper = { purpose: 'verification', kind: 'document' } as const;
  const seller = { type: 'user', id: users.seller.id } as const;
  const foreign = { type: 'dealer', id: foreignDealer.id } as const;
  return {
    media: await store('media', 'garage', dealer),
    mediaPaper: await store('mediaPaper', 'garage', dealer, paper),
    mediaPrivate: await store('mediaPrivate', 'seller', seller),
    mediaElsewhere: await store('mediaElsewhere', null, foreign),
    mediaNever: nobodys('mediaNever', 'media'),
  };
}

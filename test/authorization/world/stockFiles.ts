import type { MediaRecord } from '../../../subgraphs/identity/media/model.ts';
import { storeMedia } from '../../support/people/storeMedia.ts';
import type { SeededDealer } from '../../support/seed.ts';
import { type Bare, type Item, type ItemName, nobodys } from './Item.ts';
import type { Stock } from './stockUp.ts';

/** Stores files with texts and translations: two of the garage, one of which is a paper, and others. */
export async function stockFiles({
  shop,
  abroad,
  users,
  garage,
  secret,
  foreignDealer,
  adorn,
}: Pick<Stock, 'shop' | 'abroad' | 'users' | 'garage' | 'secret'> & {
  foreignDealer: SeededDealer;
  adorn: (item: Bare) => Promise<Item>;
}) {
  const store = async (
    name: ItemName,
    owner: Item['owner'],
    who: MediaRecord['owner'],
    changes: Partial<MediaRecord> = {},
  ): Promise<Item> => {
    const { installation } = owner ? shop : abroad;
    const id = await storeMedia(installation.id, who, { altText: `Photo of a ${secret}`, ...changes });
    const item = { ...nobodys(name, 'media'), where: owner ? 'here' : 'elsewhere', owner, id } as const;
    const owned = who.type === 'dealer' ? { ...item, dealerId: who.id } : item;
    return changes.purpose === 'verification' ? owned : adorn(owned);
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

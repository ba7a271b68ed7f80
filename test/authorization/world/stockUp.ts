import { enrollFactor } from '../../support/people/secondFactor.ts';
import type { SeededDealer, SeededInstallation, SeededListing } from '../../support/seed.ts';
import type { TestStack } from '../../support/stack/openTestStack.ts';
import { hangTexts } from './hangTexts.ts';
import { type Bare, type Item, type ItemName, nobodys, owned, unowned } from './Item.ts';
import type { Users, World } from './openWorld.ts';
import { stockFiles } from './stockFiles.ts';
import { stockThreads } from './stockThreads.ts';
import { storeAuditJob } from './storeAuditJob.ts';
import { stockDisputes } from './storeDispute.ts';
import { storeExport } from './storeExport.ts';
import { storePage } from './storePage.ts';
import { stockPayments } from './storePayment.ts';
import { storePayout } from './storePayout.ts';
import { storeReport } from './storeReport.ts';
import { storeSavedSearch } from './storeSavedSearch.ts';

/** Owners of the objects of the world. */
export interface Stock {
  stack: TestStack;
  shop: SeededInstallation;
  abroad: SeededInstallation;
  users: Users;
  garage: SeededDealer;
  secret: string;
}

/** Owners, and a user in each installation who is not a caller. */
export interface Parties extends Pick<Stock, 'shop' | 'abroad' | 'users' | 'garage'> {
  person: { id: string };
  stranger: { id: string };
}

/** Stores every object of the world with its texts. */
export async function stockUp({
  stack,
  shop,
  abroad,
  users,
  garage,
  secret,
}: Stock): Promise<World['items']> {
  const draft = { title: `Car of a ${secret}`, description: `Nobody reads ${secret}.` };
  const north = { ...draft, dealerLocationId: garage.locationIds[0] };
  const foreignDealer = await abroad.dealer();
  const editors = [users.editor, await abroad.staff('editor')] as const;
  const adorn = (item: Bare): Promise<Item> =>
    hangTexts(item.where === 'here' ? editors[0] : editors[1], item, secret);
  const listing = async (name: ItemName, owner: Item['owner'], made: Promise<SeededListing>) => {
    const dealerId = owner === 'seller' ? null : (owner ? garage : foreignDealer).id;
    return adorn(owned(name, 'listing', { owner, id: (await made).id, dealerId }));
  };
  const [person, stranger] = [await shop.user(), await abroad.user()];
  const factor = await enrollFactor({ stack, ...shop, as: person });
  const foreignFactor = await enrollFactor({ stack, ...abroad, as: stranger });
  const dealer = (name: ItemName, owner: Item['owner'], { id }: SeededDealer) =>
    adorn(owned(name, 'dealer', { owner, id, dealerId: id }));
  const page = async (
    name: ItemName,
    { installation: { id } }: SeededInstallation,
    status: 'draft' | 'published',
    text: string,
  ) => {
    const where = id === shop.installation.id ? 'here' : 'elsewhere';
    const stored = { id: await storePage(id, { status, text }), dealerId: null };
    return adorn({ ...nobodys(name, 'page'), ...stored, where });
  };
  const [here, there] = [shop.installation.id, abroad.installation.id];
  return {
    garage: await listing('garage', 'garage', garage.listing(north)),
    private: await listing('private', 'seller', users.seller.listing(draft)),
    published: await listing('published', 'garage', garage.listing({ published: true })),
    elsewhere: await listing('elsewhere', null, foreignDealer.listing(draft)),
    never: nobodys('never', 'listing'),
    dealer: await dealer('dealer', 'garage', garage),
    dealerElsewhere: await dealer('dealerElsewhere', null, foreignDealer),
    dealerNever: nobodys('dealerNever', 'dealer'),
    ...unowned('person', 'user', [person.id, stranger.id]),
    ...unowned('session', 'session', [person.sessionId, stranger.sessionId]),
    ...unowned('factor', 'mfaFactor', [factor.factorId, foreignFactor.factorId]),
    ...unowned('export', 'dataExport', [
      await storeExport(here, person.id),
      await storeExport(there, stranger.id),
    ]),
    ...unowned('search', 'savedSearch', [
      await storeSavedSearch(here, person.id),
      await storeSavedSearch(there, stranger.id),
    ]),
    ...unowned('report', 'report', [
      await storeReport(here, person.id),
      await storeReport(there, stranger.id),
    ]),
    ...unowned('auditJob', 'auditJob', [
      await storeAuditJob(here, users.administrator.id, 'completed'),
      await storeAuditJob(there, stranger.id, 'completed'),
    ]),
    ...unowned('payout', 'payout', [
      await storePayout(here, garage.id),
      await storePayout(there, foreignDealer.id),
    ]),
    page: await page('page', shop, 'published', 'Everybody reads it.'),
    pageDraft: await page('pageDraft', shop, 'draft', draft.title),
    pageElsewhere: await page('pageElsewhere', abroad, 'published', draft.title),
    pageNever: nobodys('pageNever', 'page'),
    ...(await stockThreads({ shop, abroad, users, garage, foreignDealer, person, stranger })),
    ...(await stockPayments({ shop, abroad, users, garage, person, stranger })),
    ...(await stockDisputes({ shop, abroad, users, garage, person, stranger })),
    ...(await stockFiles({ shop, abroad, users, garage, secret, foreignDealer, adorn })),
  };
}

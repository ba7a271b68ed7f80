import mongoose from 'mongoose';
import type { InstallationRole } from '../../schema/permissions.ts';
import type { MediaRecord } from '../../subgraphs/identity/media/model.ts';
import { openSession } from '../../subgraphs/identity/session/openSession.ts';
import { UserModel } from '../../subgraphs/identity/user/model.ts';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import { scoped } from '../../subgraphs/platform/installation/scoped.ts';
import { createLanguageSettings } from '../../subgraphs/translation/language/createLanguageSettings.ts';
import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import { enrollFactor } from '../support/secondFactor.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededListing,
  type SeededUser,
  seed,
} from '../support/seed.ts';
import { storeMedia } from '../support/storeMedia.ts';
import { strangeKey, takeApart } from './forgeries.ts';
import { everyHuman, type Human, mfaRequiredRoles, type Person, people, type Who } from './people.ts';
import { signInMachines } from './signInMachines.ts';
import { signInOperators } from './signInOperators.ts';
import { storeExport } from './storeExport.ts';
import { storePage } from './storePage.ts';
import { storeReport } from './storeReport.ts';
import { storeSavedSearch } from './storeSavedSearch.ts';

/** An object with everything that hangs on it; ids of another installation, or of nothing, for those that are not here. */
export interface Item {
  readonly name: ItemName;
  readonly type:
    | 'listing'
    | 'dealer'
    | 'user'
    | 'session'
    | 'mfaFactor'
    | 'dataExport'
    | 'savedSearch'
    | 'page'
    | 'report'
    | 'media';
  readonly where: 'here' | 'elsewhere' | 'never';
  /** Who owns it: the garage, a private seller, or nobody whom the matrix knows. */
  readonly owner: 'garage' | 'seller' | null;
  readonly id: string;
  readonly translationId: string;
  readonly groupId: string;
  readonly recordId: string;
  readonly snapshotId: string;
  /** The dealer that it belongs to; null for a private seller's. */
  readonly dealerId: string | null;
}

/** Objects of the matrix: two owners, another installation's, and ids that nobody has; drafts unless named otherwise. */
export type ItemName =
  | 'garage'
  | 'private'
  | 'elsewhere'
  | 'never'
  | 'published'
  | 'dealer'
  | 'dealerElsewhere'
  | 'dealerNever'
  | 'person'
  | 'personElsewhere'
  | 'personNever'
  | 'session'
  | 'sessionElsewhere'
  | 'sessionNever'
  | 'factor'
  | 'factorElsewhere'
  | 'factorNever'
  | 'export'
  | 'exportElsewhere'
  | 'exportNever'
  | 'search'
  | 'searchElsewhere'
  | 'searchNever'
  | 'page'
  | 'pageDraft'
  | 'pageElsewhere'
  | 'pageNever'
  | 'report'
  | 'reportElsewhere'
  | 'reportNever'
  | 'media'
  | 'mediaPaper'
  | 'mediaPrivate'
  | 'mediaElsewhere'
  | 'mediaNever';

/** Accounts of the people of the matrix. */
type Users = Readonly<Record<Human, SeededUser>>;

/** Two installations full of people and objects. */
export interface World {
  readonly app: TestApp;
  readonly shop: SeededInstallation;
  readonly garage: SeededDealer;
  readonly items: Readonly<Record<ItemName, Item>>;
  /** A picture for listings that nobody of the listings' owners may use: the buyer's. */
  readonly foreignPicture: string;
  /** Text that stands in every draft: whoever is refused must not read it. */
  readonly secret: string;
  readonly ids: Readonly<Record<Who, string>>;
  /** Address of the buyer's account; its password is `knownPassword`. */
  readonly buyerEmail: string;
  /** E-mail address and phone number of somebody; nobody else is called like that. */
  addressesOf(who: Who): readonly string[];
  tokenOf(who: Who): string | undefined;
  /** A new account like somebody's, signed in: for what costs an account or its sessions. */
  twin(who: Who): Promise<SeededUser>;
  /** One more session of somebody; answers its id. */
  signInAgain(who: Who): Promise<string>;
  /** A new draft of the owner of an item. */
  draft(item: Item, options?: Record<string, unknown>): Promise<SeededListing>;
  /** Version of a record as it is stored. */
  versionOf(collection: string, id: string): Promise<number>;
  /** Executes an operation of the translation subgraph as the editor; fails with the whole answer if it is refused. */
  translate(source: string, variables: object): Promise<any>;
}

const languages = [{ code: 'en' }, { code: 'de' }, { code: 'fr' }, { code: 'ar', active: false }];
const password = 'plum-tractor-9-violin';

/** Password of every account of the world that has one. */
export const knownPassword = password;

export async function openWorld(): Promise<World> {
  const app = await openTestApp();
  const { stack } = app;
  for (const installation of [stack.demo, stack.other])
    await createLanguageSettings(installation, { languages });
  await demandMfa(app);
  const [shop, abroad] = [await seed(stack).in(stack.demo), await seed(stack).in(stack.other)];
  const settled: [Human, SeededUser][] = [];
  // One after the other: so many passwords at once may have to wait for longer than their hashing allows.
  for (const who of everyHuman) settled.push([who, await settle(who, shop, abroad)]);
  const users = Object.fromEntries(settled) as Users;
  const phones = await givePhones(users);
  const garage = await foundDealer(shop, users, 'garage');
  const rival = await foundDealer(shop, users, 'rival');
  const secret = `secret${newId('listing').slice(4)}`;
  const items = await stockUp({ app, shop, abroad, users, garage, secret });
  for (const job of ['identity.relay', 'translation.object-heads']) await stack.runJob(job);
  const machines = await signInMachines(app, { garage, rival });
  const operators = await signInOperators(app);
  const tokens = new Map<Who, string>([
    ...(await issue(app, users)),
    ...operators.tokens,
    ...machines.tokens,
  ]);
  return {
    app,
    shop,
    garage,
    items,
    secret,
    foreignPicture: await storeMedia(shop.installation.id, { type: 'user', id: users.buyer.id }),
    ids: {
      ...(Object.fromEntries(everyHuman.map((who) => [who, users[who].id])) as Record<Human, string>),
      ...operators.ids,
      ...machines.ids,
    },
    buyerEmail: users.buyer.email,
    addressesOf: (who) => (phones.has(who) ? [users[asHuman(who)].email, phones.get(who) ?? ''] : []),
    tokenOf: (who) => tokens.get(who),
    twin: (who) => settle(who, shop, abroad),
    signInAgain: (who) => signInAgain(app, users[asHuman(who)], people[who].home),
    draft: ({ owner }, options = {}) =>
      owner === 'garage'
        ? garage.listing({ dealerLocationId: garage.locationIds[0], ...options })
        : users.seller.listing(options),
    versionOf: async (name, id) => Number((await collection(name).findOne({ _id: id }))?.version),
    translate: (source, variables) => execute(app, source, variables, users.editor.token, stack.demo),
  };
}

/** The staff of the demonstration needs a second factor; who has no such role signs in with a password alone. */
async function demandMfa({ stack }: TestApp): Promise<void> {
  const settings = { 'settings.mfaRequiredRoles': mfaRequiredRoles };
  await collection('installations').updateOne({ _id: stack.demo.id }, { $set: settings });
  await stack.platform.installations.refresh();
}

function settle(who: Who, shop: SeededInstallation, abroad: SeededInstallation): Promise<SeededUser> {
  const { home, state, roles, lacksMfa }: Person = people[who];
  const needsMfa = roles.some((role) => (mfaRequiredRoles as readonly string[]).includes(role));
  return (home === 'demo' ? shop : abroad).user({
    state,
    emailVerified: state !== 'unverified',
    roles: [...roles] as InstallationRole[],
    password,
    amr: needsMfa && !lacksMfa ? ['pwd', 'otp'] : ['pwd'],
  });
}

/** Only people have accounts and sessions. */
function asHuman(who: Who): Human {
  const human = everyHuman.find((name) => name === who);
  if (!human) throw new Error(`${who} is no person.`);
  return human;
}

/** Everybody has a number of his own, which is nobody else's business. */
async function givePhones(users: Users): Promise<ReadonlyMap<Who, string>> {
  const numbers = everyHuman.map((who, index) => [who, `+4955${String(10_000_000 + index)}`] as const);
  for (const [who, phone] of numbers)
    await collection('users').updateOne({ _id: users[who].id }, { $set: { phone } });
  return new Map(numbers);
}

async function signInAgain({ stack }: TestApp, { id }: SeededUser, home: Person['home']): Promise<string> {
  const installation = stack[home];
  const record = await scoped(UserModel, installation.id).findOne({ _id: id });
  if (!record) throw new Error('The world has lost somebody.');
  const { sessionId } = await openSession(stack.contextFor({ installation }), record, { amr: ['pwd'] });
  return sessionId;
}

/** The dealer with everybody who acts for it. */
async function foundDealer(
  shop: SeededInstallation,
  users: Users,
  name: 'garage' | 'rival',
): Promise<SeededDealer> {
  const acting = everyHuman.flatMap((who) => {
    const { dealer }: Person = people[who];
    return dealer?.name === name ? [{ who, ...dealer }] : [];
  });
  const owner = users[name === 'garage' ? 'owner' : 'rival'];
  const founded = await shop.dealer({
    owner,
    members: acting
      .filter(({ who }) => users[who] !== owner)
      .map(({ who, role }) => ({ userId: users[who].id, role })),
  });
  for (const { who, only } of acting) {
    if (only !== 'south') continue;
    await collection('dealers').updateOne(
      { _id: founded.id, 'members.userId': users[who].id },
      { $set: { 'members.$.locationIds': [founded.locationIds[1]] } },
    );
  }
  return founded;
}

interface Stock {
  app: TestApp;
  shop: SeededInstallation;
  abroad: SeededInstallation;
  users: Users;
  garage: SeededDealer;
  secret: string;
}

async function stockUp({ app, shop, abroad, users, garage, secret }: Stock): Promise<World['items']> {
  const draft = { title: `Car of a ${secret}`, description: `Nobody reads ${secret}.` };
  const north = { ...draft, dealerLocationId: garage.locationIds[0] };
  const foreignDealer = await abroad.dealer();
  const editors = [users.editor, await abroad.staff('editor')] as const;
  const adorn = (item: Bare): Promise<Item> => {
    const isHere = item.where === 'here';
    const { installation } = isHere ? shop : abroad;
    return hang(app, item, secret, isHere ? editors[0].token : editors[1].token, installation);
  };
  const listing = async (name: ItemName, owner: Item['owner'], made: Promise<SeededListing>) =>
    adorn({
      name,
      type: 'listing',
      where: owner ? 'here' : 'elsewhere',
      owner,
      id: (await made).id,
      dealerId: owner === 'garage' ? garage.id : owner ? null : foreignDealer.id,
    });
  const [person, stranger] = [await shop.user(), await abroad.user()];
  const factor = await enrollFactor({ ...app, ...shop, as: person });
  const foreignFactor = await enrollFactor({ ...app, ...abroad, as: stranger });
  const dealer = (name: ItemName, owner: Item['owner'], { id }: SeededDealer) =>
    adorn({ name, type: 'dealer', where: owner ? 'here' : 'elsewhere', owner, id, dealerId: id });
  const page = async (
    name: ItemName,
    { installation: { id } }: SeededInstallation,
    status: 'draft' | 'published',
    text: string,
  ) =>
    adorn({
      name,
      type: 'page',
      where: id === shop.installation.id ? 'here' : 'elsewhere',
      owner: null,
      id: await storePage(id, { status, text }),
      dealerId: null,
    });
  return {
    garage: await listing('garage', 'garage', garage.listing(north)),
    private: await listing('private', 'seller', users.seller.listing(draft)),
    published: await listing('published', 'garage', garage.listing({ published: true })),
    elsewhere: await listing('elsewhere', null, foreignDealer.listing(draft)),
    never: nobodys('never', 'listing'),
    dealer: await dealer('dealer', 'garage', garage),
    dealerElsewhere: await dealer('dealerElsewhere', null, foreignDealer),
    dealerNever: nobodys('dealerNever', 'dealer'),
    person: somebodys('person', 'user', person.id),
    personElsewhere: somebodys('personElsewhere', 'user', stranger.id, 'elsewhere'),
    personNever: nobodys('personNever', 'user'),
    session: somebodys('session', 'session', person.sessionId),
    sessionElsewhere: somebodys('sessionElsewhere', 'session', stranger.sessionId, 'elsewhere'),
    sessionNever: nobodys('sessionNever', 'session'),
    factor: somebodys('factor', 'mfaFactor', factor.factorId),
    factorElsewhere: somebodys('factorElsewhere', 'mfaFactor', foreignFactor.factorId, 'elsewhere'),
    factorNever: nobodys('factorNever', 'mfaFactor'),
    export: somebodys('export', 'dataExport', await storeExport(shop.installation.id, person.id)),
    exportElsewhere: somebodys(
      'exportElsewhere',
      'dataExport',
      await storeExport(abroad.installation.id, stranger.id),
      'elsewhere',
    ),
    exportNever: nobodys('exportNever', 'dataExport'),
    search: somebodys('search', 'savedSearch', await storeSavedSearch(shop.installation.id, person.id)),
    searchElsewhere: somebodys(
      'searchElsewhere',
      'savedSearch',
      await storeSavedSearch(abroad.installation.id, stranger.id),
      'elsewhere',
    ),
    searchNever: nobodys('searchNever', 'savedSearch'),
    page: await page('page', shop, 'published', 'Everybody reads it.'),
    pageDraft: await page('pageDraft', shop, 'draft', draft.title),
    pageElsewhere: await page('pageElsewhere', abroad, 'published', draft.title),
    pageNever: nobodys('pageNever', 'page'),
    report: somebodys('report', 'report', await storeReport(shop.installation.id, person.id)),
    reportElsewhere: somebodys(
      'reportElsewhere',
      'report',
      await storeReport(abroad.installation.id, stranger.id),
      'elsewhere',
    ),
    reportNever: nobodys('reportNever', 'report'),
    ...(await storeFiles({ shop, abroad, users, garage, foreignDealer })),
  };
}

type Bare = Pick<Item, 'name' | 'type' | 'where' | 'owner' | 'id' | 'dealerId'>;

/** A French translation in work, SEO fields and a stored analysis. */
async function hang(
  app: TestApp,
  item: Bare,
  secret: string,
  token: string,
  installation: Installation,
): Promise<Item> {
  const object = { type: item.type.toUpperCase(), id: item.id };
  const fields =
    item.type === 'dealer' ? { description: `Garage ${secret}` } : { title: `Voiture ${secret}` };
  const live = {
    status: 'PUBLISHED',
    fields: { title: 'Voiture', [item.type === 'page' ? 'html' : 'description']: 'Une voiture' },
  };
  const made = await execute(
    app,
    `mutation ($translation: CreateTranslationInput!) {
      createTranslation(input: $translation) { translation { id groupId } } }`,
    {
      translation: {
        source: object,
        language: 'fr',
        fields,
        ...(item.name === 'published' || item.name === 'page' ? live : {}),
      },
    },
    token,
    installation,
    'translation',
  );
  const analysed = await execute(
    app,
    `mutation ($fields: UpdateSeoRecordInput!, $refresh: SeoRefreshInput!) {
      updateSeoRecord(input: $fields) { record { id } }
      seoRefresh(input: $refresh) { current { id } } }`,
    { fields: { object, keyphrase: secret }, refresh: { object } },
    token,
    installation,
    'seo',
  );
  const { id: translationId, groupId } = made.createTranslation.translation;
  return {
    ...item,
    translationId,
    groupId,
    recordId: analysed.updateSeoRecord.record.id,
    snapshotId: analysed.seoRefresh.current.id,
  };
}

/** Somebody whom no caller is, or what is his: it has no texts, so nothing hangs on it. */
/** Files of the garage, one of them a paper for its owners only, of the seller, and of another installation. */
async function storeFiles({
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

function somebodys(
  name: ItemName,
  type: 'user' | 'session' | 'mfaFactor' | 'dataExport' | 'savedSearch' | 'report',
  id: string,
  where: 'here' | 'elsewhere' = 'here',
): Item {
  return { ...nobodys(name, type), where, id };
}

/** Ids of the right shape that nothing has. */
function nobodys(name: ItemName, type: Item['type']): Item {
  const id = newId(type);
  return {
    name,
    type,
    where: 'never',
    owner: null,
    id,
    translationId: newId('translation'),
    groupId: newId('group'),
    recordId: newId('seoRecord'),
    snapshotId: newId('seoSnapshot'),
    dealerId: newId('dealer'),
  };
}

/** Everybody's credentials, once all of them have done what they had to do. */
async function issue({ stack }: TestApp, users: Users): Promise<ReadonlyMap<Who, string>> {
  const forgery = await takeApart(users.forger.token, stack);
  const late = await takeApart(users.expired.token, stack);
  const past = Math.floor(Date.now() / 1000) - 3600;
  const strange = strangeKey();
  await collection('sessions').updateOne(
    { _id: users.signedOut.sessionId },
    { $set: { revokedAt: new Date(), revokeReason: 'logout' } },
  );
  await collection('users').updateOne({ _id: users.erased.id }, { $set: { state: 'deleted' } });
  for (const who of everyHuman) stack.platform.forgetPrincipal({ userId: users[who].id });
  const tokens = new Map<Who, string>(everyHuman.map((who) => [who, users[who].token]));
  tokens.set('forger', forgery.token({ signer: (input) => forgery.es256(input, strange) }));
  tokens.set('babbler', 'let.me.in');
  tokens.set(
    'expired',
    late.token({ payload: { ...late.payload, iat: past, nbf: past, exp: past + 600, auth_time: past } }),
  );
  const stale = await takeApart(users.stale.token, stack);
  tokens.set('stale', stale.token({ payload: { ...stale.payload, auth_time: past } }));
  tokens.delete('stranger');
  return tokens;
}

async function execute(
  { stack }: TestApp,
  source: string,
  variables: object,
  token: string,
  installation: Installation,
  subgraph = 'translation',
): Promise<any> {
  const result = await stack.execute(source, variables as Record<string, unknown>, {
    as: token,
    installation,
    subgraph,
  });
  if (result.errors) throw new Error(`The world cannot be made: ${JSON.stringify(result.errors)}`);
  return result.data;
}

/** A collection past every model: the world needs states that no use case makes. */
export function collection(
  name: string,
): mongoose.mongo.Collection<{ _id: string; [member: string]: unknown }> {
  return mongoose.connection.collection(name);
}

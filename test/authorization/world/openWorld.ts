import type { InstallationRole } from '../../../schema/permissions.ts';
import { openSession } from '../../../subgraphs/identity/people/session/openSession.ts';
import { UserModel } from '../../../subgraphs/identity/people/user/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { createLanguageSettings } from '../../../subgraphs/translation/languages/language/createLanguageSettings.ts';
import { storeMedia } from '../../support/people/storeMedia.ts';
import { openProduct, type ProductOptions, type ServedProduct } from '../../support/product.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededListing,
  type SeededUser,
  seed,
} from '../../support/seed.ts';
import type { TestStack } from '../../support/stack/openTestStack.ts';
import { ofTests } from '../../support/stack/scatteredCommands.ts';
import { collection } from './collection.ts';
import type { Item, ItemName } from './Item.ts';
import { issueTokens } from './issueTokens.ts';
import { everyHuman, type Human, mfaRequiredRoles, type Person, people, type Who } from './people.ts';
import { signInMachines } from './signInMachines.ts';
import { signInOperators } from './signInOperators.ts';
import { stockUp } from './stockUp.ts';
import { storeAi } from './storeAi.ts';

/** Accounts of the people of the matrix. */
export type Users = Readonly<Record<Human, SeededUser>>;

/** Two installations with users and objects. */
export interface World {
  readonly app: ServedProduct;
  readonly shop: SeededInstallation;
  readonly garage: SeededDealer;
  readonly items: Readonly<Record<ItemName, Item>>;
  /** The buyer's picture for listings, which no owner of a listing can use. */
  readonly foreignPicture: string;
  /** Text of every draft, which a refused caller must not receive. */
  readonly secret: string;
  readonly ids: Readonly<Record<Who, string>>;
  /** Email address of the buyer, whose password is `knownPassword`. */
  readonly buyerEmail: string;
  /** Unique email address and phone number of a user. */
  addressesOf(who: Who): readonly string[];
  tokenOf(who: Who): string | undefined;
  /** Creates a signed-in account with the same rights, for calls that end an account or its sessions. */
  twin(who: Who): Promise<SeededUser>;
  /** Opens a further session of a user and returns its id. */
  signInAgain(who: Who): Promise<string>;
  /** A new draft of the owner of an item. */
  draft(item: Item, options?: Record<string, unknown>): Promise<SeededListing>;
  /** Stored version of a record. */
  versionOf(collection: string, id: string): Promise<number>;
  readonly editor: SeededUser;
}

const languages = [{ code: 'en' }, { code: 'de' }, { code: 'fr' }, { code: 'ar', active: false }];
const password = 'plum-tractor-9-violin';

/** Password of every account with a password. */
export const knownPassword = password;

export async function openWorld(options: ProductOptions = {}): Promise<World> {
  const app = await openProduct(options);
  const { stack } = app;
  for (const installation of [stack.demo, stack.other])
    await createLanguageSettings(installation, { languages });
  await demandMfa(stack);
  await storeAi(stack.demo.id, stack.other.id);
  const [shop, abroad] = [await seed(stack).in(stack.demo), await seed(stack).in(stack.other)];
  const settled = await Promise.all(
    everyHuman.map(async (who) => [who, await settle(who, shop, abroad)] as const),
  );
  const users = Object.fromEntries(settled) as Users;
  const phones = await givePhones(users);
  const garage = await foundDealer(shop, users, 'garage');
  const rival = await foundDealer(shop, users, 'rival');
  const secret = `secret${newId('listing').slice(4)}`;
  const items = await stockUp({ stack, shop, abroad, users, garage, secret });
  for (const job of ['identity.relay', 'translation.object-heads']) await stack.runJob(job);
  const machines = await signInMachines(stack, shop, { garage, rival });
  const operators = await signInOperators(stack, shop);
  const tokens = new Map<Who, string>([
    ...(await issueTokens(stack, users)),
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
    signInAgain: (who) => signInAgain(stack, users[asHuman(who)], people[who].home),
    draft: ({ owner }, options = {}) =>
      owner === 'garage'
        ? garage.listing({ dealerLocationId: garage.locationIds[0], ...options })
        : users.seller.listing(options),
    versionOf: async (name, id) =>
      Number((await collection(name).findOne({ _id: id }, { comment: ofTests }))?.version),
    editor: users.editor,
  };
}

/** Requires a second factor of staff roles. Other users sign in with only a password. */
async function demandMfa(stack: TestStack): Promise<void> {
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

/** Only human callers have accounts and sessions. */
function asHuman(who: Who): Human {
  const human = everyHuman.find((name) => name === who);
  if (!human) throw new Error(`${who} is no person.`);
  return human;
}

/** Gives every user a private phone number. */
async function givePhones(users: Users): Promise<ReadonlyMap<Who, string>> {
  const numbers = everyHuman.map((who, index) => [who, `+4955${String(10_000_000 + index)}`] as const);
  await Promise.all(
    numbers.map(([who, phone]) => collection('users').updateOne({ _id: users[who].id }, { $set: { phone } })),
  );
  return new Map(numbers);
}

async function signInAgain(stack: TestStack, { id }: SeededUser, home: Person['home']): Promise<string> {
  const installation = stack[home];
  const record = await scoped(UserModel, installation.id).findOne({ _id: id });
  if (!record) throw new Error('The world has lost somebody.');
  const { sessionId } = await openSession(stack.contextFor({ installation }), record, { amr: ['pwd'] });
  return sessionId;
}

/** The dealer with all its members. */
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

import { indexesOf } from '../../../test/support/indexesOf.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededUser,
  seed,
} from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { buildIdentity } from '../server.ts';
import { openSession } from '../session/openSession.ts';
import { UserModel } from '../user/model.ts';
import { SavedSearchModel, SearchHitModel } from './model.ts';

let stack: TestStack;
let shop: SeededInstallation;
let garage: SeededDealer;
let user: SeededUser;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
});
// Every test has an installation of its own, so that nothing else is found in it.
beforeEach(async () => {
  shop = await seed(stack).installation();
  user = await shop.user({ displayName: 'Anna' });
});
afterAll(() => stack.close());

const minuteMs = 60_000;
const dayMs = 24 * 3600 * 1000;
const skoda = { attributes: [{ name: 'make', values: ['skoda'] }] };

async function signInAgain({ id }: SeededUser): Promise<string> {
  const record = await scoped(UserModel, shop.installation.id).findOne({ _id: id });
  if (!record) throw new Error('This account is gone.');
  const context = stack.contextFor({ installation: shop.installation });
  return (await openSession(context, record, { amr: ['pwd'] })).accessToken;
}

const keep = async (members: object = {}, as = user): Promise<string> => {
  const input = { name: 'Skodas', query: skoda, alert: 'INSTANT', ...members };
  const { data, errors } = await stack.execute(
    'mutation ($input: CreateSavedSearchInput!) { createSavedSearch(input: $input) { savedSearch { id } } }',
    { input },
    { as: await signInAgain(as), installation: shop.installation },
  );
  if (errors) throw errors[0];
  stack.advance(1000);
  return data?.createSavedSearch.savedSearch.id;
};
const publish = async (title: string) => {
  stack.advance(1000);
  // Somebody who has just signed in: a test may have come days further.
  garage = await shop.dealer();
  return garage.listing({ published: true, title });
};
const match = async () => {
  await stack.runJob('identity.relay');
  await stack.runJob('identity.saved-search-matches');
};
const tell = async () => {
  await match();
  await stack.runJob('identity.search-alerts');
};
const tellDaily = () => stack.runJob('identity.search-alerts-daily');
const mails = async (to = user.email) =>
  (await stack.mailsTo(to)).filter(({ kind }) => kind === 'savedSearchMatches');
const change = (members: object) =>
  scoped(UserModel, shop.installation.id).findOneAndUpdate({ _id: user.id }, { $set: members });
const withdraw = (id: string) =>
  scoped(CatalogListingModel, shop.installation.id).findOneAndUpdate(
    { _id: id },
    { $set: { withdrawn: true } },
  );

describe('an instant alert', () => {
  test('mails what was published, to whoever looks for it, with title and address', async () => {
    await keep();
    await keep({ query: { attributes: [{ name: 'make', values: ['volvo'] }] } }, await shop.user());
    const { slug } = await publish('Octavia of today');
    await tell();
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: 'A new listing for “Skodas”',
      link: `${shop.installation.baseUrl}/listings/${slug}`,
    });
    expect(mail?.text).toContain('Hello Anna,');
    expect(mail?.text).toContain('“Octavia of today”.');
    const sent = await scoped(SearchHitModel, shop.installation.id).find({});
    expect(sent.map(({ userId }) => userId)).toEqual([user.id]);
  });

  test('tells a listing once, however often the event comes, and however many processes tell', async () => {
    await keep();
    const { id } = await publish('Octavia');
    await match();
    await Promise.all([1, 2, 3].map(() => stack.runJob('identity.search-alerts')));
    expect(await mails()).toHaveLength(1);
    for (const name of ['pauseListing', 'publishListing']) {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
      const source = `mutation ($input: ${type}) { ${name}(input: $input) { listing { id } } }`;
      const call = { as: garage.owner, installation: shop.installation };
      expect((await stack.execute(source, { input: { listingId: id } }, call)).errors).toBeUndefined();
    }
    stack.advance(dayMs);
    await tell();
    expect(await mails()).toHaveLength(1);
  });

  test('tells a stock that goes online at once in one mail, and what comes behind it a quarter of an hour later', async () => {
    await keep();
    for (let index = 0; index < 7; index += 1) await publish(`Octavia ${index}`);
    await tell();
    const [first] = await mails();
    expect(first?.subject).toBe('New listings for “Skodas”');
    expect(first?.text).toMatch(/“Octavia 6”, “Octavia 5”, .*“Octavia 2”, and 2 more\./);
    await publish('Octavia of later');
    await tell();
    stack.advance(13 * minuteMs);
    await tell();
    expect(await mails()).toHaveLength(1);
    stack.advance(2 * minuteMs);
    await tell();
    const [, second, ...others] = await mails();
    expect(second?.text).toContain('“Octavia of later”.');
    expect(others).toEqual([]);
  });

  test.each([
    [
      'nobody searches for his own',
      async () => void (await user.listing({ published: true, title: 'Octavia of mine' })),
    ],
    ['what was published before is no news', async () => undefined],
    [
      'what has vanished is not told',
      async () => {
        const { id } = await publish('Vanished');
        await withdraw(id);
      },
    ],
    [
      'what was seen is not told',
      async () => {
        await publish('Seen before');
        await match();
        stack.advance(1000);
        await keep({ lastSeenAt: new Date(stack.platform.now()).toISOString() });
      },
    ],
    [
      'an alert that was turned off tells nothing',
      async () => {
        await publish('Too late');
        await match();
        await keep({ alert: 'NONE' });
      },
    ],
    [
      'a search that was deleted tells nothing',
      async () => {
        await publish('Too late');
        await match();
        await scoped(SavedSearchModel, shop.installation.id).deleteMany({ userId: user.id });
      },
    ],
    [
      'who wants no mails gets none',
      async () => {
        await change({ 'notificationPreferences.savedSearch.email': false });
        await publish('Unwanted');
      },
    ],
    [
      'a suspended account gets none',
      async () => {
        await change({ state: 'suspended' });
        await publish('Unwanted');
      },
    ],
    [
      'an address that is not confirmed gets none',
      async () => {
        await change({ emailVerified: false });
        await publish('Unwanted');
      },
    ],
  ])('%s', async (_, act) => {
    await publish('Before');
    await keep();
    await act();
    await tell();
    expect(await mails()).toEqual([]);
    expect(await scoped(SearchHitModel, shop.installation.id).count({ dueAt: { $ne: null } })).toBe(0);
  });

  test('of another installation hears nothing', async () => {
    await keep();
    const abroad = await seed(stack).installation();
    await (await abroad.dealer()).listing({ published: true, title: 'Octavia abroad' });
    await tell();
    expect(await mails()).toEqual([]);
  });
});

describe('a daily alert', () => {
  test('mails once a day what was published since, and nothing on days without anything', async () => {
    await publish('Before');
    await keep({ alert: 'DAILY' });
    const { slug } = await publish('Octavia');
    await tellDaily();
    expect(await mails()).toEqual([]);
    stack.advance(dayMs);
    await Promise.all([1, 2, 3].map(tellDaily));
    const [first, ...others] = await mails();
    expect(others).toEqual([]);
    expect(first?.text).toContain('“Octavia”.');
    expect(first?.link).toBe(`${shop.installation.baseUrl}/listings/${slug}`);
    stack.advance(dayMs);
    await tellDaily();
    expect(await mails()).toHaveLength(1);
    for (let index = 0; index < 7; index += 1) await publish(`Octavia ${index}`);
    stack.advance(dayMs);
    await tellDaily();
    expect((await mails())[1]?.text).toMatch(/“Octavia 6”, .*“Octavia 2”, and 2 more\./);
  });

  test('keeps its hour, also when it is set again, and makes no missed day up', async () => {
    const id = await keep({ alert: 'DAILY' });
    const due = async () =>
      (await scoped(SavedSearchModel, shop.installation.id).findOne({ _id: id }))?.alertDueAt?.getTime() ?? 0;
    const first = await due();
    stack.advance(dayMs / 2);
    await keep({ alert: 'DAILY' });
    expect(await due()).toBe(first);
    stack.advance(3 * dayMs);
    await tellDaily();
    expect(await due()).toBe(first + 3 * dayMs);
  });

  test('is quiet about what was seen, and for those who want no mails; turned off it ends', async () => {
    await keep({ alert: 'DAILY' });
    await publish('Seen before');
    stack.advance(1000);
    await keep({ lastSeenAt: new Date(stack.platform.now()).toISOString() });
    stack.advance(dayMs);
    await tellDaily();
    await publish('Unwanted');
    await change({ 'notificationPreferences.savedSearch.email': false });
    stack.advance(dayMs);
    await tellDaily();
    await change({ 'notificationPreferences.savedSearch.email': true });
    await keep({ alert: 'NONE' });
    stack.advance(dayMs);
    await tellDaily();
    expect(await mails()).toEqual([]);
  });
});

test('both find what is due through indexes', async () => {
  await keep();
  await publish('Octavia');
  await match();
  const plans = await indexesOf(async () => {
    await stack.runJob('identity.search-alerts');
    await tellDaily();
  });
  const own = plans.filter(({ command }) => /search/.test(command));
  expect(own.length).toBeGreaterThan(2);
  for (const { command, indexes } of own) expect([command, indexes.length > 0]).toEqual([command, true]);
});

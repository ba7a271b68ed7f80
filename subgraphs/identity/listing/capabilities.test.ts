import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededDealer, type SeededUser, seed } from '../../../test/support/seed.ts';
import { askOwnerDocument, loadOwned, type OwnedType } from '../../platform/federation/askOwner.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { ListingModel } from './model.ts';

const world = product();
const { market } = world;
let anna: SeededUser;
let berta: SeededUser;
let garage: SeededDealer;

beforeAll(async () => {
  [anna, berta, garage] = [await market.user(), await market.user(), await market.dealer()];
});

const ask = async (type: OwnedType, id: string, by: { token: string }, at = market) => {
  const variables = { representations: [{ __typename: type, id }], texts: true, details: false };
  const result = await world.stack.execute(askOwnerDocument, variables, {
    as: by.token,
    installation: at.installation,
  });
  if (result.errors) throw result.errors[0];
  return result.data?._entities[0];
};
const nothing = {
  ownerId: null,
  viewerCanRead: false,
  viewerCanEdit: false,
  viewerOnlyReads: false,
  contentVersion: null,
  content: null,
};

describe('a listing that is not published', () => {
  test('shows its owner everything, the staff for texts the texts, and others nothing', async () => {
    const { id } = await anna.listing({ title: 'A quiet draft', description: '# Big\n\n*Very* <3' });
    const content = {
      languageTag: 'en',
      visibility: 'PRIVATE',
      url: null,
      slug: null,
      title: 'A quiet draft',
      html: '<h1>Big</h1>\n<p><em>Very</em> &lt;3</p>',
      fields: { title: 'A quiet draft', description: '# Big\n\n*Very* <3' },
    };
    const readable = { id, ownerId: anna.id, viewerCanRead: true, contentVersion: 1, content };
    expect(await ask('Listing', id, anna)).toMatchObject({ ...readable, viewerCanEdit: true });
    for (const role of ['editor', 'translator', 'moderator', 'installation_admin'] as const) {
      expect(await ask('Listing', id, await market.staff(role))).toMatchObject({
        ...readable,
        viewerCanEdit: false,
      });
    }
    for (const stranger of [berta, garage.owner, await market.staff('support')]) {
      expect(await ask('Listing', id, stranger)).toMatchObject({ id, ...nothing });
    }
  });

  test('of a dealer is every member’s', async () => {
    const { id } = await garage.listing();
    expect(await ask('Listing', id, garage.owner)).toMatchObject({ ownerId: garage.id, viewerCanEdit: true });
  });
});

describe('a published listing', () => {
  test('is readable for everybody and editable for its owner', async () => {
    const { id, slug } = await anna.listing({ published: true, title: 'For all to see' });
    const url = `${market.installation.baseUrl}/listings/${slug}`;
    const content = { visibility: 'PUBLIC', slug, url, title: 'For all to see' };
    expect(await ask('Listing', id, berta)).toMatchObject({
      viewerCanRead: true,
      viewerCanEdit: false,
      content,
    });
    expect(await ask('Listing', id, anna)).toMatchObject({
      viewerCanRead: true,
      viewerCanEdit: true,
      content,
    });
  });

  test('shows strangers what was reviewed, and its owner what he is writing', async () => {
    const reviewed = await seed(world.stack).installation({ settings: { moderation: 'pre' } });
    const [owner, stranger] = [await reviewed.user(), await reviewed.user()];
    const { id } = await owner.listing({ title: 'As reviewed' });
    const listings = scoped(ListingModel, reviewed.installation.id);
    const record = await listings.findOne({ _id: id });
    if (!record) throw new Error('The listing is gone.');
    const { categoryId, title, description, languageTag, condition, attributes } = record;
    const published = { categoryId, title, description, languageTag, condition, attributes, revision: 1 };
    await listings.findOneAndUpdate(
      { _id: id },
      { $set: { state: 'active', published, title: 'Not reviewed yet', revision: 2, slug: 'x' } },
    );
    expect((await ask('Listing', id, stranger, reviewed)).content.title).toBe('As reviewed');
    expect((await ask('Listing', id, owner, reviewed)).content.title).toBe('Not reviewed yet');
    expect((await ask('Listing', id, await reviewed.staff('editor'), reviewed)).content.title).toBe(
      'Not reviewed yet',
    );
  });

  test('is not readable any more once it is paused', async () => {
    const { id } = await anna.listing({ published: true });
    await scoped(ListingModel, market.installation.id).findOneAndUpdate(
      { _id: id },
      { $set: { state: 'paused' } },
    );
    expect(await ask('Listing', id, berta)).toMatchObject(nothing);
  });
});

describe('asking about records', () => {
  test('of another installation answers like asking about none', async () => {
    const other = await world.neighbour();
    const admin = await other.staff('installation_admin');
    const { id } = await anna.listing({ published: true });
    expect(await ask('Listing', id, admin, other)).toBeNull();
    expect(await ask('Dealer', garage.id, admin, other)).toBeNull();
    expect(await ask('Listing', 'lst_x', anna)).toBeNull();
  });

  test('needs an identity', async () => {
    const { id } = await anna.listing({ published: true });
    const variables = { representations: [{ __typename: 'Listing', id }], texts: true, details: false };
    const result = await world.stack.execute(askOwnerDocument, variables, {
      installation: market.installation,
    });
    expect(problemOf(result)).toMatchObject({ code: 'token_missing', status: 401 });
  });

  test('for access alone answers the same as asking for all, whatever state it is in', async () => {
    const [draft, active] = [await anna.listing(), await anna.listing({ published: true })];
    const whole = { texts: true, details: false };
    for (const by of [anna, berta, await market.staff('editor')])
      for (const { id } of [draft, active]) {
        const access = (reference: object, variables: object) =>
          world.stack.execute(
            askOwnerDocument,
            { representations: [{ __typename: 'Listing', id, ...reference }], ...variables },
            { as: by.token, installation: market.installation },
          );
        const { data, errors } = await access({ asked: 'access' }, { texts: false, details: false });
        expect(errors).toBeUndefined();
        const all = (await access({}, whole)).data?._entities[0];
        expect(data?._entities[0].content === null).toBe(all?.content === null);
        expect(all).toMatchObject(data?._entities[0]);
      }
  });

  test('of one tick travels as one operation, and what is asked about twice is asked about once', async () => {
    const [one, other] = [await anna.listing(), await anna.listing()];
    const asked: string[][] = [];
    const context = world.stack.contextFor({ as: anna, installation: market.installation });
    await context.identify();
    const { askOwner } = context.platform;
    Object.assign(context.platform, {
      askOwner: (...args: Parameters<typeof askOwner>) => {
        asked.push(args[0].representations.map(({ id }) => id));
        return askOwner(...args);
      },
    });
    try {
      const [access, texts] = await Promise.all([
        loadOwned(context, 'Listing', one.id, 'access'),
        loadOwned(context, 'Listing', one.id, 'texts'),
        loadOwned(context, 'Listing', other.id, 'texts'),
      ]);
      expect(access).toBe(texts);
      await loadOwned(context, 'Listing', other.id, 'access');
    } finally {
      Object.assign(context.platform, { askOwner });
    }
    expect(asked).toEqual([[one.id, other.id]]);
  });

  test('through the platform takes one question for many', async () => {
    const ids = [];
    for (let index = 0; index < 5; index += 1) ids.push((await anna.listing()).id);
    const context = world.stack.contextFor({ as: anna, installation: market.installation });
    await context.identify();
    const records = await Promise.all([...ids, 'lst_x'].map((id) => loadOwned(context, 'Listing', id)));
    expect(records.map(({ exists, viewerCanEdit }) => [exists, viewerCanEdit])).toEqual([
      ...ids.map(() => [true, true]),
      [false, false],
    ]);
  });
});

describe('a dealer', () => {
  test('is readable for everybody once it is active, and for members and staff always', async () => {
    const fresh = await market.dealer({ state: 'onboarding', description: 'We *care*.' });
    const readable = { ownerId: fresh.id, viewerCanRead: true, contentVersion: 1 };
    expect(await ask('Dealer', garage.id, berta)).toMatchObject({
      viewerCanRead: true,
      viewerCanEdit: false,
    });
    expect(await ask('Dealer', fresh.id, berta)).toMatchObject(nothing);
    expect(await ask('Dealer', fresh.id, fresh.owner)).toMatchObject({
      ...readable,
      viewerCanEdit: true,
      content: {
        visibility: 'PRIVATE',
        slug: fresh.slug,
        url: `${market.installation.baseUrl}/dealers/${fresh.slug}`,
        html: '<p>We <em>care</em>.</p>',
      },
    });
    for (const role of ['editor', 'support'] as const)
      expect(await ask('Dealer', fresh.id, await market.staff(role))).toMatchObject({
        ...readable,
        viewerCanEdit: false,
      });
  });

  test('shows its record to members and staff only', async () => {
    const source =
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Dealer { legalName state members { userId role } limits { maxActiveListings } } } }';
    const r = [{ __typename: 'Dealer', id: garage.id }];
    const show = (by: { token: string }) =>
      world.stack.execute(source, { r }, { as: by.token, installation: market.installation });
    expect((await show(garage.owner)).data?._entities[0]).toMatchObject({
      state: 'ACTIVE',
      members: [{ userId: garage.owner.id, role: 'OWNER' }],
      limits: { maxActiveListings: 5000 },
    });
    expect((await show(await market.staff('finance'))).errors).toBeUndefined();
    expect(problemOf(await show(berta))).toMatchObject({ code: 'ownership_required', status: 403 });
  });
});

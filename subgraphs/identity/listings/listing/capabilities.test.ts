import { perFile, product } from '../../../../test/support/product.ts';
import { type SeededInstallation, type SeededUser } from '../../../../test/support/seed.ts';
import { askOwner, loadOwned, type OwnedType } from '../../../platform/federation/askOwner.ts';

const { market, neighbour, stack } = product();

const anna = perFile(() => market.user());
const berta = perFile(() => market.user());

/** A reference as another subgraph sends it. */
interface Reference {
  type?: OwnedType;
  id: string;
  asked?: 'access';
  at?: SeededInstallation;
}

async function ask({ type = 'Listing', id, asked, at = market }: Reference, by: SeededUser): Promise<any> {
  const representations = [{ __typename: type, id, ...(asked && { asked }) }];
  const variables = { representations, texts: !asked, details: false };
  const call = { as: by.token, installation: at.installation };
  const { data, errors } = await stack.execute(askOwner.document, variables, call);
  expect(errors).toBeUndefined();
  return data?._entities[0];
}

async function contextOf(user: SeededUser) {
  const context = stack.contextFor({ as: user, installation: market.installation });
  await context.identify();
  return context;
}

const nothing = {
  ownerId: null,
  viewerCanRead: false,
  viewerCanEdit: false,
  viewerOnlyReads: false,
  contentVersion: null,
  content: null,
};

test('another subgraph reads the private content of a draft for its owner', async () => {
  const fields = { title: 'A quiet draft', description: '# Big\n\n*Very* <3' };
  const { id } = await anna.listing(fields);
  const html = '<h1>Big</h1>\n<p><em>Very</em> &lt;3</p>';
  const content = { languageTag: 'en', visibility: 'PRIVATE', url: null, slug: null, html, fields };
  expect(await ask({ id }, anna)).toMatchObject({ ownerId: anna.id, contentVersion: 1, content });
});

test('another subgraph reads the public content of a published listing until it is paused', async () => {
  const { id, slug } = await anna.listing({ published: true, title: 'For all to see' });
  const url = `${market.installation.baseUrl}/listings/${slug}`;
  const content = { visibility: 'PUBLIC', slug, url, title: 'For all to see' };
  expect(await ask({ id }, berta)).toMatchObject({ viewerCanRead: true, viewerCanEdit: false, content });
  await anna.pauseListing({ listingId: id });
  expect(await ask({ id }, berta)).toEqual({ __typename: 'Listing', id, ...nothing });
});

test('while a revision waits for review, other users read the published one, and owner and editors the new one', async () => {
  const reviewed = await neighbour({ settings: { moderation: 'pre' } });
  const [owner, stranger] = [await reviewed.user(), await reviewed.user()];
  const { id } = await owner.listing({ title: 'As reviewed' });
  await owner.publishListing({ listingId: id });
  const moderator = await reviewed.staff('moderator');
  await moderator.approveListing({ listingId: id, revision: 1 });
  await owner.updateListing({ listingId: id, title: 'Not reviewed yet' });
  const titleFor = async (user: SeededUser) => (await ask({ id, at: reviewed }, user)).content.title;
  expect(await titleFor(stranger)).toBe('As reviewed');
  for (const user of [owner, await reviewed.staff('editor')])
    expect(await titleFor(user)).toBe('Not reviewed yet');
});

test('a reference that requests only access returns the same rights as one that requests texts', async () => {
  const [draft, active] = [await anna.listing(), await anna.listing({ published: true })];
  for (const user of [anna, berta, await market.staff('editor')])
    for (const { id } of [draft, active]) {
      const access = await ask({ id, asked: 'access' }, user);
      const texts = await ask({ id }, user);
      expect(texts).toMatchObject(access.content === null ? { ...access, content: null } : access);
    }
});

test('references that are loaded in one tick are sent as one operation, with each record once', async () => {
  const [{ id: one }, { id: other }] = [await anna.listing(), await anna.listing()];
  const context = await contextOf(anna);
  const { ask: askSubgraph } = context.platform;
  const asked: string[][] = [];
  Object.assign(context.platform, {
    ask: (...args: Parameters<typeof askSubgraph>) => {
      asked.push(args[1].representations.map(({ id }) => id));
      return askSubgraph(...args);
    },
  });
  try {
    const [access, texts, missing] = await Promise.all([
      loadOwned(context, 'Listing', one, 'access'),
      loadOwned(context, 'Listing', one, 'texts'),
      loadOwned(context, 'Listing', 'lst_x', 'texts'),
      loadOwned(context, 'Listing', other, 'texts'),
    ]);
    expect(access).toBe(texts);
    expect(access).toMatchObject({ exists: true, viewerCanEdit: true });
    expect(missing).toMatchObject({ exists: false, viewerCanEdit: false });
    await loadOwned(context, 'Listing', other, 'access');
  } finally {
    Object.assign(context.platform, { ask: askSubgraph });
  }
  expect(asked).toEqual([[one, 'lst_x', other]]);
});

test('a dealer in onboarding can be read by its members and the staff only', async () => {
  const { id, slug, owner } = await market.dealer({ state: 'onboarding', description: 'We *care*.' });
  const dealer = { type: 'Dealer', id } as const;
  expect(await ask(dealer, berta)).toMatchObject(nothing);
  const url = `${market.installation.baseUrl}/dealers/${slug}`;
  expect(await ask(dealer, owner)).toMatchObject({
    ownerId: id,
    viewerCanEdit: true,
    content: { visibility: 'PRIVATE', slug, url, html: '<p>We <em>care</em>.</p>' },
  });
  for (const role of ['editor', 'support'] as const) {
    const readable = { viewerCanRead: true, viewerCanEdit: false, contentVersion: 1 };
    expect(await ask(dealer, await market.staff(role))).toMatchObject(readable);
  }
});

import { openShop, type Shop } from '../fixture/openShop.ts';
import { change, create, read, write } from '../fixture/operations.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const begin = async (listing: string, options: object = {}) => {
  const fields = { title: 'Bonne voiture', description: 'Roule bien' };
  const input = { source: { type: 'LISTING', id: listing }, language: 'fr', fields, ...options };
  return (await shop.ask(create, { input })).createTranslation.translation;
};
const readAgain = async (id: string) => (await shop.ask(read, { id })).translation;
const changed = async (input: object, as = shop.people.editor) =>
  (await shop.ask(change, { input }, { as })).changeTranslationStatus.translation;

test('a text is outdated while its source differs from what it was made from, and its status stays', async () => {
  const listing = shop.listing();
  const { id, sourceDigest } = await begin(listing, { status: 'PUBLISHED' });
  shop.listing({ id: listing, title: 'Very good car' });
  const after = await readAgain(id);
  expect(after).toMatchObject({
    outdated: true,
    changedSourceFields: ['title'],
    status: 'PUBLISHED',
    sourceDigest,
  });
  expect(after.currentSourceDigest).not.toBe(sourceDigest);
  shop.listing({ id: listing });
  expect(await readAgain(id)).toMatchObject({
    outdated: false,
    changedSourceFields: [],
    currentSourceDigest: sourceDigest,
  });
});

test('a source shows the digest that its translations state', async () => {
  const listing = shop.listing();
  const digestOf = async () => {
    const source =
      '{ resolveTranslations(objects: [{ type: LISTING, id: "ID" }], language: "en") { translation { sourceDigest currentSourceDigest } } }';
    const { resolveTranslations } = await shop.ask(source.replace('ID', listing));
    return resolveTranslations[0].translation;
  };
  const alone = await digestOf();
  expect(alone).toEqual({ sourceDigest: null, currentSourceDigest: expect.stringMatching(/^v1:/) });
  const { sourceDigest } = await begin(listing, { sourceDigest: alone.currentSourceDigest });
  expect(await digestOf()).toEqual({ sourceDigest: null, currentSourceDigest: sourceDigest });
});

test('price, line ends and the like outdate nothing', async () => {
  const listing = shop.listing();
  const { id } = await begin(listing);
  shop.listing({
    id: listing,
    fields: { title: 'Good car', description: 'Runs well', price: '9' },
    html: '<p>x</p>',
  });
  expect((await readAgain(id)).outdated).toBe(false);
});

test('a digest that is old already is accepted, and work is not lost', async () => {
  const listing = shop.listing();
  const old = (await begin(listing)).sourceDigest;
  shop.listing({ id: listing, title: 'Very good car' });
  const german = await begin(listing, { language: 'de', sourceDigest: old });
  expect(german).toMatchObject({ outdated: true, sourceDigest: old, outdatedSince: expect.anything() });
  // Which texts have changed is not known of a digest that nobody has kept: all of them may have.
  expect(german.changedSourceFields).toEqual(['title', 'description']);
});

test('acknowledging says that the text is good for the source as it is, and who said so', async () => {
  const listing = shop.listing();
  const { id, version } = await begin(listing, { assigneeId: shop.people.translator.id });
  shop.listing({ id: listing, title: 'Very good car' });
  const { currentSourceDigest } = await readAgain(id);
  const after = await changed({ id, outdated: false }, shop.people.translator);
  expect(after).toMatchObject({ outdated: false, sourceDigest: currentSourceDigest, version: version + 1 });
  expect((await changed({ id, outdated: false })).version).toBe(after.version);
  const input = { id, outdated: false };
  expect((await shop.refuse(change, { input }, { as: shop.people.colleague })).code).toBe('not_assignee');
});

test('a contributor acknowledges only what he works on', async () => {
  const { id } = await begin(shop.listing());
  const problem = await shop.refuse(
    change,
    { input: { id, outdated: false } },
    { as: shop.people.translator },
  );
  expect(problem.code).toBe('not_assignee');
});

test('a manager flags a text by hand, and the flag stays until it is acknowledged', async () => {
  const { id } = await begin(shop.listing());
  const flagged = await changed({ id, outdated: true });
  expect(flagged).toMatchObject({
    outdated: true,
    outdatedSince: expect.anything(),
    changedSourceFields: [],
  });
  expect((await changed({ id, outdated: true })).version).toBe(flagged.version);
  expect(await changed({ id, outdated: false })).toMatchObject({ outdated: false, outdatedSince: null });
  const problem = await shop.refuse(
    change,
    { input: { id, outdated: true } },
    { as: shop.people.translator },
  );
  expect(problem.code).toBe('permission_required');
});

test('publishing says that the text is good for the source as it is', async () => {
  const listing = shop.listing();
  const { id } = await begin(listing);
  shop.listing({ id: listing, title: 'Very good car' });
  expect((await changed({ id, status: 'PUBLISHED' })).outdated).toBe(false);
});

test('a translation of a translation is outdated by its texts, not by the listing’s', async () => {
  const listing = shop.listing();
  const french = await begin(listing);
  const german = await begin(french.id, { language: 'de' });
  shop.listing({ id: listing, title: 'Very good car' });
  expect((await readAgain(german.id)).outdated).toBe(false);
  const input = { id: french.id, fields: { title: 'Très bonne voiture' }, expectedVersion: french.version };
  await shop.ask(write, { input });
  expect(await readAgain(german.id)).toMatchObject({ outdated: true, changedSourceFields: ['title'] });
});

test('what was last known counts when the source is gone', async () => {
  const listing = shop.listing();
  const { id } = await begin(listing);
  shop.neighbour.remove(listing);
  expect(await readAgain(id)).toMatchObject({
    outdated: false,
    currentSourceDigest: null,
    object: null,
    live: false,
  });
});

describe('saving texts', () => {
  const save = async (input: object, as = shop.people.editor) =>
    (await shop.ask(write, { input }, { as })).updateTranslationContent.translation;

  test('leaves what is absent, takes away what is null, and is in step with the source', async () => {
    const listing = shop.listing();
    const { id, version } = await begin(listing, { fields: { title: 'a', description: 'b', slug: 'c' } });
    shop.listing({ id: listing, title: 'Very good car' });
    const saved = await save({ id, fields: { title: 'x\r\ny', slug: null }, expectedVersion: version });
    expect(saved).toMatchObject({
      fields: { title: 'x\ny', description: 'b', slug: null },
      outdated: false,
      version: version + 1,
    });
    const again = await save({ id, fields: { title: 'x\ny' }, expectedVersion: saved.version });
    expect(again.version).toBe(saved.version);
  });

  test('opens an update of a published text', async () => {
    const { id, version } = await begin(shop.listing(), { status: 'PUBLISHED' });
    const saved = await save(
      { id, fields: { title: 'x' }, expectedVersion: version },
      shop.people.translator,
    );
    expect(saved).toMatchObject({
      status: 'IN_PROGRESS',
      live: true,
      history: [{ from: 'PUBLISHED', to: 'IN_PROGRESS' }, {}],
    });
  });

  test('of an archived text, of an old version, or of somebody else’s work is refused', async () => {
    const { id, version } = await begin(shop.listing(), { assigneeId: shop.people.colleague.id });
    const input = { id, fields: { title: 'x' }, expectedVersion: version };
    expect((await shop.refuse(write, { input: { ...input, expectedVersion: 9 } })).code).toBe(
      'precondition_failed',
    );
    expect((await shop.refuse(write, { input }, { as: shop.people.translator })).code).toBe('not_assignee');
    const archived = await changed({ id, status: 'ARCHIVED' });
    const late = { ...input, expectedVersion: archived.version };
    expect(await shop.refuse(write, { input: late })).toMatchObject({
      code: 'invalid_transition',
      from: 'archived',
      allowed: ['draft'],
    });
  });
});

test('a flag can be taken back also when the source is gone', async () => {
  const listing = shop.listing();
  const { id } = await begin(listing);
  await changed({ id, outdated: true });
  shop.neighbour.remove(listing);
  expect((await changed({ id, outdated: false })).outdated).toBe(false);
});

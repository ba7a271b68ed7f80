import { product } from '../../../../test/support/product.ts';
import { openDesk, work } from '../../fixture/openDesk.ts';

const { people, car, deleteCar, rename, translate, change, write, readAgain } = openDesk(product());

test('a text is outdated while its source differs from the translated version, and keeps its status', async () => {
  const source = await car();
  const { id, sourceDigest } = await translate(source, { status: 'PUBLISHED' });
  await rename(source, 'Very good car');
  const after = await readAgain(id);
  const changedSourceFields = ['title'];
  expect(after).toMatchObject({ outdated: true, changedSourceFields, status: 'PUBLISHED', sourceDigest });
  expect(after.currentSourceDigest).not.toBe(sourceDigest);
  await rename(source, 'Good car');
  const before = { outdated: false, changedSourceFields: [], currentSourceDigest: sourceDigest };
  expect(await readAgain(id)).toMatchObject(before);
});

test('a source has the digest that its translations state', async () => {
  const id = await car();
  const digests = async () => {
    const variables = { objects: [{ type: 'LISTING', id }], language: 'en' } as const;
    const selection = 'translation { sourceDigest currentSourceDigest }';
    return (await people.editor.resolveTranslations(variables, selection))[0]?.translation;
  };
  const alone = await digests();
  expect(alone).toEqual({ sourceDigest: null, currentSourceDigest: expect.stringMatching(/^v1:/) });
  const currentSourceDigest = alone?.currentSourceDigest ?? null;
  await translate(id, { sourceDigest: currentSourceDigest });
  expect(await digests()).toEqual({ sourceDigest: null, currentSourceDigest });
});

test('a change of the price marks no text as outdated', async () => {
  const listingId = await car();
  const { id } = await translate(listingId);
  const price = { amount: 900_000, currency: 'EUR' };
  expect(await people.dealer.updateListing({ listingId, price })).not.toBeRefused();
  expect((await readAgain(id)).outdated).toBe(false);
});

test('a text that states an earlier digest is created as outdated', async () => {
  const source = await car();
  const { sourceDigest = null } = await translate(source);
  await rename(source, 'Very good car');
  const german = await translate(source, { language: 'de', sourceDigest });
  expect(german).toMatchObject({ outdated: true, sourceDigest, outdatedSince: expect.anything() });
  // The texts of an earlier digest are not stored, so all of them may have changed.
  expect(german.changedSourceFields).toEqual(['title', 'description']);
});

test('an assignee can acknowledge a change of the source, and a repetition changes nothing', async () => {
  const source = await car();
  const { id, version } = await translate(source, { assigneeId: people.translator.id });
  await rename(source, 'Very good car');
  const { currentSourceDigest: sourceDigest } = await readAgain(id);
  const { translation } = await change({ id, outdated: false }, people.translator);
  expect(translation).toMatchObject({ outdated: false, sourceDigest, version: version + 1 });
  expect((await change({ id, outdated: false })).translation.version).toBe(translation.version);
  expect(await change({ id, outdated: false }, people.colleague)).toBeRefused(403, 'not_assignee');
});

test('a contributor cannot acknowledge a change for a text that is not assigned to them', async () => {
  const { id } = await translate(await car());
  expect(await change({ id, outdated: false }, people.translator)).toBeRefused(403, 'not_assignee');
});

test('a text that a manager marks is outdated until it is acknowledged', async () => {
  const { id } = await translate(await car());
  const { translation } = await change({ id, outdated: true });
  const marked = { outdated: true, outdatedSince: expect.anything(), changedSourceFields: [] };
  expect(translation).toMatchObject(marked);
  expect((await change({ id, outdated: true })).translation.version).toBe(translation.version);
  const after = await change({ id, outdated: false });
  expect(after.translation).toMatchObject({ outdated: false, outdatedSince: null });
  expect(await change({ id, outdated: true }, people.translator)).toBeRefused(403, 'permission_required');
});

test('publishing a text acknowledges the current source', async () => {
  const source = await car();
  const { id } = await translate(source);
  await rename(source, 'Very good car');
  expect((await change({ id, status: 'PUBLISHED' })).translation.outdated).toBe(false);
});

test('a translation of a translation is outdated if the texts of its source change, not those of the listing', async () => {
  const source = await car();
  const { id, version } = await translate(source);
  const german = await translate(id, { language: 'de' });
  await rename(source, 'Very good car');
  expect((await readAgain(german.id)).outdated).toBe(false);
  await write({ id, fields: { title: 'Très bonne voiture' }, expectedVersion: version });
  expect(await readAgain(german.id)).toMatchObject({ outdated: true, changedSourceFields: ['title'] });
});

test('a text whose source was deleted keeps its state, and its mark as outdated can be removed', async () => {
  const source = await car();
  const { id } = await translate(source);
  const marked = await translate(await car(), { language: 'de' });
  await change({ id: marked.id, outdated: true });
  await deleteCar(source);
  await deleteCar(marked.source?.objectId ?? '');
  const gone = { outdated: false, currentSourceDigest: null, object: null, live: false };
  expect(await readAgain(id)).toMatchObject(gone);
  expect((await change({ id: marked.id, outdated: false })).translation.outdated).toBe(false);
});

test('saving texts keeps absent fields, clears those that are null and acknowledges the source', async () => {
  const source = await car();
  const { id, version } = await translate(source, { fields: { title: 'a', description: 'b', slug: 'c' } });
  await rename(source, 'Very good car');
  const saved = await write({ id, fields: { title: 'x\r\ny', slug: null }, expectedVersion: version });
  const fields = { title: 'x\ny', description: 'b', slug: null };
  expect(saved.translation).toMatchObject({ fields, outdated: false, version: version + 1 });
  const again = await write({ id, fields: { title: 'x\ny' }, expectedVersion: version + 1 });
  expect(again.translation.version).toBe(version + 1);
});

test('saving a published text moves it to in progress and keeps its page live', async () => {
  const { id, version } = await translate(await car(), { status: 'PUBLISHED' });
  const input = { id, fields: { title: 'x' }, expectedVersion: version };
  const { translation } = await people.translator.updateTranslationContent(input, `translation { ${work} }`);
  const history = [{ from: 'PUBLISHED', to: 'IN_PROGRESS' }, {}];
  expect(translation).toMatchObject({ status: 'IN_PROGRESS', live: true, history });
});

test('saving an archived text or a text of another assignee is refused', async () => {
  const { id, version } = await translate(await car(), { assigneeId: people.colleague.id });
  const input = { id, fields: { title: 'x' }, expectedVersion: version };
  expect(await write(input, people.translator)).toBeRefused(403, 'not_assignee');
  const { translation } = await change({ id, status: 'ARCHIVED' });
  const late = { ...input, expectedVersion: translation.version };
  const details = { from: 'archived', allowed: ['draft'] };
  expect(await write(late)).toBeRefused(409, 'invalid_transition', details);
});

import { newId } from '../../platform/ids/newId.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { create } from '../fixture/operations.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const fields = { title: 'Bonne voiture', description: 'Roule bien' };
const begin = async (listing: string = shop.listing(), options: object = {}) => {
  const input = { source: { type: 'LISTING', id: listing }, language: 'fr', fields, ...options };
  return (await shop.ask(create, { input })).createTranslation.translation;
};
const bulk = /* GraphQL */ `mutation ($input: BulkChangeTranslationStatusInput!) {
  bulkChangeTranslationStatus(input: $input) { updated { id status live } errors { id code message } }
}`;
const changeAll = async (input: object, as = shop.people.editor) =>
  (await shop.ask(bulk, { input }, { as })).bulkChangeTranslationStatus;

describe('one status for many', () => {
  test('is set where it may be, and each refusal is told with its reason', async () => {
    const good = await begin();
    const empty = await begin(shop.listing(), { fields: {} });
    const never = newId('translation');
    const { updated, errors } = await changeAll({ ids: [good.id, empty.id, never], status: 'PUBLISHED' });
    expect(updated).toEqual([{ id: good.id, status: 'PUBLISHED', live: true }]);
    expect(errors).toEqual([
      { id: empty.id, code: 'content_incomplete', message: expect.any(String) },
      { id: never, code: 'translation_not_found', message: expect.any(String) },
    ]);
  });

  test('of others is refused one by one', async () => {
    const { id } = await begin();
    const own = await changeAll({ ids: [id], status: 'IN_PROGRESS' }, shop.people.dealer);
    expect(own.errors).toEqual([]);
    const foreign = await changeAll({ ids: [id], status: 'DRAFT' }, shop.people.rival);
    expect(foreign).toMatchObject({ updated: [], errors: [{ id, code: 'ownership_required' }] });
  });

  test.each([
    ['no id', () => []],
    ['one id twice', () => Array<string>(2).fill(newId('translation'))],
    ['201 ids', () => Array.from({ length: 201 }, () => newId('translation'))],
  ])('with %s is refused as a whole', async (_, ids) => {
    const problem = await shop.refuse(bulk, { input: { ids: ids(), status: 'DRAFT' } });
    expect(problem).toMatchObject({ status: 422, errors: [{ pointer: '#/ids' }] });
  });

  test('is set for 200 at once', async () => {
    const ids = [];
    for (let index = 0; index < 20; index++) ids.push((await begin()).id);
    const missing = Array.from({ length: 180 }, () => newId('translation'));
    const { updated, errors } = await changeAll({ ids: [...ids, ...missing], status: 'NEEDS_REVIEW' });
    expect([updated.length, errors.length]).toEqual([20, 180]);
    expect(updated.map(({ id }: { id: string }) => id)).toEqual(ids);
  });
});

test('everything that was made from a source can be flagged at once, and the source is left alone', async () => {
  const listing = shop.listing();
  const french = await begin(listing);
  const german = await begin(listing, { language: 'de' });
  const mark = /* GraphQL */ `mutation ($input: MarkTranslationsOutdatedInput!) {
    markTranslationsOutdated(input: $input) { updated { id outdated note } errors { code } }
  }`;
  const input = { groupId: french.groupId, note: 'New engine' };
  const { markTranslationsOutdated } = await shop.ask(mark, { input });
  expect(markTranslationsOutdated.errors).toEqual([]);
  expect(markTranslationsOutdated.updated).toHaveLength(2);
  expect(markTranslationsOutdated.updated).toEqual(
    expect.arrayContaining([french, german].map(({ id }) => ({ id, outdated: true, note: 'New engine' }))),
  );
  expect(await shop.refuse(mark, { input: { groupId: newId('group') } })).toMatchObject({
    status: 404,
    code: 'relation_not_found',
  });
});

test('acknowledging names the digest that was compared', async () => {
  const listing = shop.listing();
  const { id } = await begin(listing);
  shop.listing({ id: listing, title: 'Another car' });
  const acknowledge = /* GraphQL */ `mutation ($input: AcknowledgeSourceChangeInput!) {
    acknowledgeSourceChange(input: $input) { translation { outdated sourceDigest currentSourceDigest version } }
  }`;
  const read = 'query ($id: ID!) { translation(id: $id) { outdated currentSourceDigest version } }';
  const before = (await shop.ask(read, { id })).translation;
  expect(before.outdated).toBe(true);
  const input = { id, sourceDigest: before.currentSourceDigest, expectedVersion: before.version };
  const { acknowledgeSourceChange } = await shop.ask(acknowledge, { input });
  expect(acknowledgeSourceChange.translation).toMatchObject({
    outdated: false,
    sourceDigest: before.currentSourceDigest,
    version: before.version + 1,
  });
  expect(await shop.refuse(acknowledge, { input })).toMatchObject({ status: 412 });
  expect(await shop.refuse(acknowledge, { input: { id, sourceDigest: 'abc' } })).toMatchObject({
    status: 422,
  });
  const translator = { as: shop.people.translator };
  expect(
    await shop.refuse(acknowledge, { input: { id, sourceDigest: before.currentSourceDigest } }, translator),
  ).toMatchObject({ code: 'not_assignee' });
});

test('work is handed out by those who manage, and taken by those who contribute', async () => {
  const { id } = await begin();
  const assign = /* GraphQL */ `mutation ($input: AssignTranslationInput!) {
    assignTranslation(input: $input) { translation { assigneeId dueAt } }
  }`;
  const hand = (assigneeId: string | null, as = shop.people.editor, dueAt: string | null = null) =>
    shop.ask(assign, { input: { id, assigneeId, dueAt } }, { as });
  const { translator, colleague } = shop.people;
  const dueAt = '2030-01-01T00:00:00.000Z';
  expect((await hand(translator.id, shop.people.editor, dueAt)).assignTranslation.translation).toEqual({
    assigneeId: translator.id,
    dueAt: expect.anything(),
  });
  const grab = { input: { id, assigneeId: colleague.id } };
  expect(await shop.refuse(assign, grab, { as: colleague })).toMatchObject({ code: 'not_assignee' });
  await hand(null, translator);
  await hand(colleague.id, colleague);
  expect(
    await shop.refuse(assign, { input: { id, assigneeId: translator.id } }, { as: colleague }),
  ).toMatchObject({
    code: 'permission_required',
  });
});

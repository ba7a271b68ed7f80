import { product } from '../../../../test/support/product.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { french, openDesk, ref, work } from '../../fixture/openDesk.ts';
import { longestHistory } from '../../records/model.ts';

const { people, car, hide, link, linkCars, translate, change, write, readAgain, records } = openDesk(
  product(),
);
// The type of the input is that of the parsed scalar.
const dueAt = '2026-12-01T00:00:00.000Z' as unknown as Date;

test('a change of a translation keeps absent members and clears those that are null', async () => {
  const { id } = await translate(await car());
  const first = await change({ id, note: 'Please', dueAt });
  expect(first.translation).toMatchObject({ note: 'Please', dueAt, status: 'DRAFT' });
  expect((await change({ id, note: null })).translation).toMatchObject({ note: null, dueAt });
});

test("a replacement of a translation's state clears absent members, and a repetition changes nothing", async () => {
  const { id } = await translate(await car(), { assigneeId: people.translator.id });
  await change({ id, note: 'Please', dueAt });
  const replace = () =>
    people.editor.replaceTranslationState({ id, status: 'IN_PROGRESS' }, `translation { ${work} }`);
  const first = await replace();
  const cleared = { status: 'IN_PROGRESS', note: null, dueAt: null, assigneeId: null };
  expect(first.translation).toMatchObject(cleared);
  expect(await replace()).toEqual(first);
  expect(await change({ id, status: 'IN_PROGRESS' })).toEqual(first);
});

test('a translation is found by any member of its group and its exact language', async () => {
  const objectId = await car();
  const { id } = await translate(objectId);
  const target = { objectType: 'LISTING', language: 'FR' } as const;
  expect((await change({ ...target, objectId, status: 'IN_PROGRESS' })).translation.id).toBe(id);
  expect((await change({ ...target, objectId: id, status: 'NEEDS_REVIEW' })).translation.id).toBe(id);
  for (const language of ['de', 'fr-CA'])
    expect(await change({ ...target, objectId, language, status: 'DRAFT' })).toBeRefused(
      404,
      'translation_not_found',
    );
});

test.each([
  ['no target', {}],
  ['two targets', { id: newId('translation'), objectType: 'LISTING' }],
  ['an incomplete target', { objectType: 'LISTING', objectId: newId('listing') }],
] as const)('a change of a translation with %s is refused', async (_, target) => {
  expect(await change({ ...target, status: 'DRAFT' })).toBeRefused(400, 'malformed_request');
});

test('invalid members of a change are refused with their pointers', async () => {
  const { id } = await translate(await car());
  const invalid = {
    '#': {},
    '#/status': { status: null },
    '#/outdated': { outdated: null },
    '#/sourceDigest': { sourceDigest: 'x' },
    '#/assigneeId': { assigneeId: 'usr_x' },
  };
  for (const [pointer, members] of Object.entries(invalid))
    expect(await change({ id, ...members })).toBeInvalid(pointer);
});

test('a stale version of a translation is refused before its status is checked', async () => {
  const { id } = await translate(await car());
  await change({ id, status: 'ARCHIVED' });
  const publish = { id, status: 'PUBLISHED' } as const;
  expect(await change({ ...publish, expectedVersion: 1 })).toBeRefused(412, 'precondition_failed');
  expect(await change({ ...publish, expectedVersion: 2 })).toBeRefused(409, 'invalid_transition', {
    from: 'archived',
    allowed: ['draft'],
  });
});

test('one of eight concurrent changes with the same version succeeds, and the others are refused', async () => {
  const { id, version } = await translate(await car());
  const notes = Array.from({ length: 8 }, (_, index) => `${index}`);
  expect(
    await Promise.all(notes.map((note) => change({ id, note, expectedVersion: version }))),
  ).toBeRefusedTimes(7, 412, 'precondition_failed');
  expect((await readAgain(id)).version).toBe(version + 1);
});

test('the history of a translation keeps the last 50 changes of status', async () => {
  const { id } = await translate(await car());
  const entry = { at: new Date(), by: 'usr_x', from: 'draft', to: 'draft', note: null } as const;
  await records().updateMany(
    { _id: id },
    { $set: { history: Array.from({ length: longestHistory }, () => entry) } },
  );
  await change({ id, status: 'IN_PROGRESS', note: 'the last one' });
  const { history = [] } = (await records().findOne({ _id: id })) ?? {};
  expect(history).toHaveLength(longestHistory);
  expect(history.at(-1)).toMatchObject({ to: 'in_progress', note: 'the last one' });
});

test('a translator can move a text only by its allowed transitions', async () => {
  const { translator } = people;
  const { id } = await translate(await car());
  expect((await readAgain(id, translator)).allowedTransitions).toEqual(['IN_PROGRESS', 'NEEDS_REVIEW']);
  expect(await change({ id, status: 'PUBLISHED' }, translator)).toBeRefused(403, 'transition_not_allowed');
  const { translation } = await change({ id, status: 'NEEDS_REVIEW' }, translator);
  const history = [{ from: 'DRAFT', to: 'NEEDS_REVIEW', byUserId: translator.id }, {}];
  expect(translation).toMatchObject({ status: 'NEEDS_REVIEW', version: 2, history, allowedTransitions: [] });
  expect(await change({ id, status: 'IN_PROGRESS' }, translator)).toBeRefused(403, 'not_assignee');
  expect(await readAgain(id)).toMatchObject({ status: 'NEEDS_REVIEW', version: 2 });
});

test('a published page is unchanged while its update is in progress', async () => {
  const { id } = await translate(await car(), { status: 'PUBLISHED' });
  const update = await change({ id, status: 'IN_PROGRESS' }, people.translator);
  expect(update.translation.allowedTransitions).toEqual(['NEEDS_REVIEW']);
  expect(await change({ id, status: 'DRAFT' }, people.translator)).toBeRefused(403, 'transition_not_allowed');
  const title = 'Très bonne voiture';
  await write({ id, fields: { title }, expectedVersion: update.translation.version });
  const views = 'live work: fields(view: EDITORIAL) { title } page: fields(view: PUBLIC) { title }';
  const page = { title: french.title };
  expect(await people.editor.translation({ id }, views)).toEqual({ live: true, work: { title }, page });
  await change({ id, status: 'PUBLISHED' });
  expect(await people.editor.translation({ id }, views)).toMatchObject({ page: { title } });
});

test.each(['DRAFT', 'ARCHIVED'] as const)('the status %s takes a published page down', async (status) => {
  const { id } = await translate(await car(), { status: 'PUBLISHED' });
  expect((await change({ id, status })).translation).toMatchObject({ status, live: false });
});

test('a published page is not live while its listing is hidden', async () => {
  const listingId = await car();
  const { id } = await translate(listingId, { status: 'PUBLISHED' });
  await hide(listingId);
  expect(await readAgain(id)).toMatchObject({ status: 'PUBLISHED', live: false });
});

test('publishing a text without its required fields is refused', async () => {
  const { id } = await translate(await car(), { fields: { title: 'Bonne voiture' } });
  const errors = [{ pointer: '#/fields/description' }];
  expect(await change({ id, status: 'PUBLISHED' })).toBeRefused(422, 'content_incomplete', { errors });
});

test('a translator cannot change a text that is assigned to another translator', async () => {
  const { translator, colleague } = people;
  const { id } = await translate(await car(), { assigneeId: colleague.id });
  for (const input of [
    { id, status: 'IN_PROGRESS' },
    { id, note: 'hello' },
  ] as const)
    expect(await change(input, translator)).toBeRefused(403, 'not_assignee');
  expect((await change({ id, status: 'IN_PROGRESS' }, colleague)).translation.status).toBe('IN_PROGRESS');
});

test('changing the state of a source is refused', async () => {
  const [objectId] = await linkCars('en', 'fr');
  const target = { objectType: 'LISTING', objectId, language: 'en' } as const;
  for (const members of [{ status: 'ARCHIVED' }, { note: 'x' }, { outdated: false }] as const)
    expect(await change({ ...target, ...members })).toBeRefused(422, 'source_status_readonly');
});

test('a linked object can be archived, but its texts cannot be changed', async () => {
  const objectId = await car({ language: 'fr' });
  await link({ object: ref(objectId), relatedTo: ref(await car()) });
  const target = { objectType: 'LISTING', objectId, language: 'fr' } as const;
  const { translation } = await change({ ...target, status: 'ARCHIVED' });
  expect(translation).toMatchObject({ status: 'ARCHIVED', live: false, fields: null });
  const input = { id: translation.id as string, fields: french, expectedVersion: translation.version };
  expect(await write(input)).toBeRefused(422, 'read_only_field');
});

test('changing the state of an object that was never linked or translated is refused', async () => {
  const target = { objectType: 'LISTING', objectId: await car(), language: 'en' } as const;
  expect(await change({ ...target, status: 'DRAFT' })).toBeRefused(404, 'translation_not_found');
});

import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { ExecutionModel } from '../../../platform/idempotency/model.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { french, idsOf, openDesk, ref } from '../../fixture/openDesk.ts';
import type { CreateTranslationInput } from '../../translation.generated.ts';

const world = product();
const { people, dealers, car, rivalCar, silentCar, link, translate, groupOf } = openDesk(world);
/** Creates a French translation. The answer may be a refusal. */
const create = (id: string, options: Partial<Wire<CreateTranslationInput>> = {}, as = people.editor) =>
  as.createTranslation({ source: ref(id), language: 'fr', ...options }, 'translation { id }');

test('a new translation is a draft in the group of its source', async () => {
  const id = await car();
  const fields = { ...french, slug: 'bonne-voiture' };
  const translation = await translate(id, { fields });
  expect(translation).toMatchObject({
    id: expect.stringMatching(/^trn_/),
    languageCode: 'fr',
    version: 1,
    status: 'DRAFT',
    live: false,
    origin: 'CREATED',
    isSource: false,
    outdated: false,
    changedSourceFields: [],
    source: { type: 'LISTING', objectId: id, languageCode: 'en' },
    fields,
    history: [{ from: null, to: 'DRAFT', note: null, byUserId: people.editor.id }],
    object: { __typename: 'Listing', id },
    publishedAt: null,
  });
  expect(translation.url).toMatch(/^http:\/\/shop-\w+\.localhost\/fr\/listings\//);
  expect(translation.ref).toEqual({ type: 'LISTING', objectId: translation.id });
  expect(translation.sourceDigest).toBe(translation.currentSourceDigest);
  const group = await groupOf(id);
  expect(group).toMatchObject({ id: translation.groupId, version: 1, source: { ref: { objectId: id } } });
  expect(idsOf(group)).toEqual([id, translation.id]);
});

test('a translation can be translated within its group', async () => {
  const { id, groupId } = await translate(await car());
  const german = await translate(id, { language: 'de', copySource: true, fields: null });
  expect(german).toMatchObject({ groupId, source: { objectId: id, languageCode: 'fr' }, fields: french });
  expect((await groupOf(id)).id).toBe(groupId);
});

test('a translation with `copySource` begins with the texts of its source', async () => {
  const { title } = french;
  const { fields } = await translate(await car(), { copySource: true, fields: { title } });
  expect(fields).toMatchObject({ title, description: 'Runs well', slug: null });
});

test('a contributor can create a translation, and only a manager or the dealer can create it as published', async () => {
  const { translator, dealer } = people;
  const begun = await translate(await car(), { status: 'IN_PROGRESS' }, translator);
  const allowedTransitions = ['DRAFT', 'NEEDS_REVIEW'];
  expect(begun).toMatchObject({ status: 'IN_PROGRESS', allowedTransitions });
  const publish = { status: 'PUBLISHED', fields: french } as const;
  expect(await create(await car(), publish, translator)).toBeRefused(403, 'transition_not_allowed');
  const published = { status: 'PUBLISHED', live: true, publishedAt: expect.anything() };
  expect(await translate(await car(), publish)).toMatchObject(published);
  expect(await translate(await car(), publish, dealer)).toMatchObject(published);
});

const titleAlone = { status: 'PUBLISHED', fields: { title: 'x' } } as const;
test.each<[string, Partial<Wire<CreateTranslationInput>>, string, string]>([
  ['waits for review', { status: 'NEEDS_REVIEW' }, 'invalid_initial_status', '#/status'],
  ['is archived', { status: 'ARCHIVED' }, 'invalid_initial_status', '#/status'],
  ['is published with a title alone', titleAlone, 'content_incomplete', '#/fields/description'],
  ['has the language of its source', { language: 'EN' }, 'same_language', '#/language'],
  ['has a language that is not configured', { language: 'it' }, 'language_not_configured', '#/language'],
  ['has a malformed language', { language: 'f r' }, 'language_not_configured', '#/language'],
  ['has a malformed assignee', { assigneeId: 'somebody' }, 'validation_failed', '#/assigneeId'],
  ['has a malformed digest', { sourceDigest: 'v2:x' }, 'validation_failed', '#/sourceDigest'],
  ['has a long title', { fields: { title: 'x'.repeat(121) } }, 'validation_failed', '#/fields/title'],
])('a new translation that %s is refused', async (_, options, code, pointer) => {
  const id = await car();
  expect(await create(id, options)).toBeRefused(422, code, { errors: [{ pointer }] });
  expect(await groupOf(id)).toMatchObject({ id: null, members: [{ id: null }] });
});

test('a text that the type of the object does not have is refused', async () => {
  const source = { type: 'DEALER', id: dealers.garage.id } as const;
  const errors = [{ pointer: '#/fields/title' }];
  expect(await create('', { source, fields: french })).toBeRefused(422, 'unknown_field', { errors });
});

test('a second translation into a language is refused with the existing one, if the caller may see it', async () => {
  const source = await car();
  const { id, groupId } = await translate(source);
  const conflict = { id, language: 'fr', groupId };
  expect(await create(source)).toBeRefused(409, 'translation_exists', { conflict });
  await link({ object: ref(await rivalCar({ language: 'de' })), relatedTo: ref(source) });
  const hidden = { conflict: expect.not.objectContaining({ id: expect.anything() }) };
  const german = { language: 'de' };
  expect(await create(source, german, people.dealer)).toBeRefused(409, 'translation_exists', hidden);
});

test('a translation of a missing source or a source without a language is refused', async () => {
  for (const id of [newId('listing'), newId('translation')])
    expect(await create(id)).toBeRefused(404, 'object_not_found');
  expect(await create(await silentCar())).toBeRefused(422, 'language_required');
});

test('a contributor can assign a new translation only to themselves, and a manager to any translator', async () => {
  const { translator, colleague } = people;
  const own = { assigneeId: translator.id };
  expect((await translate(await car(), own, translator)).assigneeId).toBe(translator.id);
  const assigned = { assigneeId: colleague.id };
  expect(await create(await car(), assigned, translator)).toBeRefused(403, 'permission_required');
  expect((await translate(await car(), assigned)).assigneeId).toBe(colleague.id);
});

test('a request that is repeated after a crash returns the translation of the first request', async () => {
  const source = await car();
  const input = { idempotencyKey: newId('listing') };
  const first = await create(source, input);
  // This is the record of a process that ends after it has stored the translation and before it responds.
  await world.market
    .records(ExecutionModel)
    .updateMany({ _id: { $gt: '' } }, { $set: { state: 'running', payload: null, leaseUntil: new Date(0) } });
  expect(await create(source, input)).toEqual(first);
});

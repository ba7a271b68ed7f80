import { ExecutionModel } from '../../platform/idempotency/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { create, link, read, readGroup } from '../fixture/operations.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const texts = { title: 'Bonne voiture', description: 'Roule bien' };
const of = (id: string, options: object = {}) => ({
  source: { type: 'LISTING', id },
  language: 'fr',
  ...options,
});
const created = async (input: object, as = shop.people.editor) =>
  (await shop.ask(create, { input }, { as })).createTranslation.translation;
const refused = (input: object, as = shop.people.editor) => shop.refuse(create, { input }, { as });

test('a translation is a draft in the group of its source, and words for the same listing', async () => {
  const id = shop.listing();
  const translation = await created(of(id, { fields: { ...texts, slug: 'bonne-voiture' } }));
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
    source: { type: 'LISTING', id, languageCode: 'en' },
    fields: { ...texts, slug: 'bonne-voiture' },
    history: [{ from: null, to: 'DRAFT', note: null, byUserId: shop.people.editor.id }],
    object: { __typename: 'Listing', id },
    url: `http://demo.localhost/fr/listings/${id}`,
    publishedAt: null,
  });
  expect(translation.ref).toEqual({ type: 'LISTING', id: translation.id });
  expect(translation.sourceDigest).toBe(translation.currentSourceDigest);
  const { relationGroup } = await shop.ask(readGroup, { objectType: 'LISTING', objectId: id });
  expect(relationGroup).toMatchObject({ id: translation.groupId, version: 1, source: { ref: { id } } });
  expect(relationGroup.members.map((member: any) => member.ref.id)).toEqual([id, translation.id]);
});

test('a translation is an object: its id leads to its group, and it can be translated itself', async () => {
  const french = await created(of(shop.listing(), { fields: texts }));
  const german = await created({
    source: { type: 'LISTING', id: french.id },
    language: 'de',
    copySource: true,
  });
  expect(german).toMatchObject({
    groupId: french.groupId,
    source: { id: french.id, languageCode: 'fr' },
    fields: texts,
    outdated: false,
  });
  const { relationGroup } = await shop.ask(readGroup, { objectType: 'LISTING', objectId: french.id });
  expect(relationGroup.id).toBe(french.groupId);
});

test('the source’s texts are the start where it is asked for', async () => {
  const { fields } = await created(
    of(shop.listing(), { copySource: true, fields: { title: 'Bonne voiture' } }),
  );
  expect(fields).toEqual({ title: 'Bonne voiture', description: 'Runs well', slug: null });
});

test('a translation may be begun by contributors, and published at once only by managers', async () => {
  const begun = await created(of(shop.listing(), { status: 'IN_PROGRESS' }), shop.people.translator);
  expect(begun).toMatchObject({ status: 'IN_PROGRESS', allowedTransitions: ['DRAFT', 'NEEDS_REVIEW'] });
  const publish = of(shop.listing(), { status: 'PUBLISHED', fields: texts });
  expect((await refused(publish, shop.people.translator)).code).toBe('transition_not_allowed');
  const published = await created(publish);
  expect(published).toMatchObject({ status: 'PUBLISHED', live: true, publishedAt: expect.anything() });
  const dealers = await created(
    of(shop.listing(), { status: 'PUBLISHED', fields: texts }),
    shop.people.dealer,
  );
  expect(dealers.status).toBe('PUBLISHED');
});

test.each<[string, object, object]>([
  [
    'a status that is not a beginning',
    { status: 'NEEDS_REVIEW' },
    { code: 'invalid_initial_status', errors: [{ pointer: '#/status' }] },
  ],
  ['an archived beginning', { status: 'ARCHIVED' }, { code: 'invalid_initial_status' }],
  [
    'publication without the texts',
    { status: 'PUBLISHED', fields: { title: 'x' } },
    { code: 'content_incomplete', errors: [{ pointer: '#/fields/description' }] },
  ],
  ['the source’s language', { language: 'EN' }, { code: 'same_language' }],
  [
    'a language that is not configured',
    { language: 'it' },
    { code: 'language_not_configured', errors: [{ pointer: '#/language' }] },
  ],
  ['a language that is none', { language: 'f r' }, { code: 'language_not_configured' }],
  [
    'an assignee that is none',
    { assigneeId: 'somebody' },
    { code: 'validation_failed', errors: [{ pointer: '#/assigneeId' }] },
  ],
  [
    'a digest that is none',
    { sourceDigest: 'v2:x' },
    { code: 'validation_failed', errors: [{ pointer: '#/sourceDigest' }] },
  ],
  [
    'a title that is too long',
    { fields: { title: 'x'.repeat(121) } },
    { code: 'validation_failed', errors: [{ pointer: '#/fields/title' }] },
  ],
])('%s is refused, and nothing is made', async (_, options, problem) => {
  const id = shop.listing();
  expect(await refused(of(id, options))).toMatchObject(problem);
  const { relationGroup } = await shop.ask(readGroup, { objectType: 'LISTING', objectId: id });
  expect(relationGroup).toMatchObject({ id: null, members: [{ id: null }] });
});

test('a text that the type of object does not have is refused', async () => {
  const input = {
    source: { type: 'DEALER', id: shop.listing({ type: 'Dealer' }) },
    language: 'fr',
    fields: texts,
  };
  expect(await refused(input)).toMatchObject({
    code: 'unknown_field',
    errors: [{ pointer: '#/fields/title' }],
  });
});

test('there is no input for machine translation or layouts', async () => {
  for (const member of ['machineTranslate', 'engine', 'provider', 'blocks', 'layout']) {
    const { errors } = await shop.stack.execute(
      create,
      { input: of(shop.listing(), { [member]: 'x' }) },
      { as: shop.people.editor },
    );
    expect(errors?.[0]?.message).toContain(`"${member}"`);
  }
});

test('a second translation into the language is refused, and the first is named to those who may see it', async () => {
  const id = shop.listing();
  const first = await created(of(id));
  expect(await refused(of(id))).toMatchObject({
    code: 'translation_exists',
    conflict: { id: first.id, language: 'fr', groupId: first.groupId },
  });
  const linkedListing = shop.listing({ languageTag: 'de', ownerId: newId('dealer') });
  const input = { object: { type: 'LISTING', id: linkedListing }, relatedTo: { type: 'LISTING', id } };
  await shop.ask(link, { input });
  const { conflict } = await refused(of(id, { language: 'de' }), shop.people.dealer);
  expect(conflict).not.toHaveProperty('id');
});

describe('the source', () => {
  test.each([
    ['that does not exist', newId('listing')],
    ['of another installation', 'foreign'],
    ['that is a made-up translation', newId('translation')],
  ])('%s is not found', async (_, id) => {
    const known = id === 'foreign' ? shop.listing({ installationId: shop.stack.other.id }) : id;
    expect((await refused(of(known))).code).toBe('object_not_found');
  });

  test('whose language nobody has said is refused', async () => {
    expect((await refused(of(shop.listing({ languageTag: null })))).code).toBe('language_required');
  });
});

describe('rights', () => {
  test('a dealer translates his own listings only; buyers and strangers nothing', async () => {
    const foreign = shop.listing({ ownerId: newId('dealer') });
    expect((await refused(of(foreign), shop.people.dealer)).code).toBe('ownership_required');
    expect((await refused(of(foreign), shop.people.buyer)).code).toBe('permission_required');
    expect((await shop.refuse(create, { input: of(foreign) }, { as: null })).code).toBe('token_missing');
    expect((await created(of(shop.listing()), shop.people.dealer)).status).toBe('DRAFT');
  });

  test('contributors take work for themselves; managers hand it out', async () => {
    const { translator, colleague } = shop.people;
    const mine = await created(of(shop.listing(), { assigneeId: translator.id }), translator);
    expect(mine.assigneeId).toBe(translator.id);
    const handed = of(shop.listing(), { assigneeId: colleague.id });
    expect((await refused(handed, translator)).code).toBe('permission_required');
    expect((await created(handed)).assigneeId).toBe(colleague.id);
  });

  test('one translation is read by its id, within reach', async () => {
    const { id } = await created(of(shop.listing()));
    expect((await shop.ask(read, { id }, { as: shop.people.dealer })).translation.id).toBe(id);
    expect((await shop.refuse(read, { id }, { as: shop.people.rival })).code).toBe('ownership_required');
    expect((await shop.refuse(read, { id: newId('translation') })).code).toBe('translation_not_found');
    expect((await shop.refuse(read, { id: 'trn_x' })).code).toBe('translation_not_found');
    const elsewhere = await shop.stack.signIn({ installation: shop.stack.other, roles: ['editor'] });
    const there = { as: elsewhere, installation: shop.stack.other };
    expect((await shop.refuse(read, { id }, there)).code).toBe('translation_not_found');
  });
});

test('the same key and input create one translation; another input is refused', async () => {
  const input = of(shop.listing(), { idempotencyKey: newId('listing') });
  const [first, second] = [await created(input), await created(input)];
  expect(second).toEqual(first);
  expect((await refused({ ...input, language: 'de' })).code).toBe('idempotency_key_reused');
});

test('a repetition after a crash finds the translation that the first request made', async () => {
  const input = of(shop.listing(), { idempotencyKey: newId('listing') });
  const first = await created(input);
  // As a process leaves it that dies between the translation and the answer.
  await scoped(ExecutionModel, shop.stack.demo.id).updateMany(
    { _id: { $gt: '' } },
    { $set: { state: 'running', payload: null, leaseUntil: new Date(0) } },
  );
  expect((await created(input)).id).toBe(first.id);
});

import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { openDesk } from '../../fixture/openDesk.ts';
import type { TranslationStatus } from '../../translation.generated.ts';

const { people, car, rename, translate, readAgain } = openDesk(product());
const changeAll = (ids: readonly string[], status: Wire<TranslationStatus>, as = people.editor) =>
  as.bulkChangeTranslationStatus(
    { ids, status },
    'updated { id status live } errors { translationId code message }',
  );

test('a status is set on each permitted translation, and each refusal has a reason', async () => {
  const good = await translate(await car());
  const empty = await translate(await car(), { fields: {} });
  const never = newId('translation');
  const { updated, errors } = await changeAll([good.id, empty.id, never], 'PUBLISHED');
  expect(updated).toEqual([{ id: good.id, status: 'PUBLISHED', live: true }]);
  expect(errors).toEqual([
    { translationId: empty.id, code: 'content_incomplete', message: expect.any(String) },
    { translationId: never, code: 'translation_not_found', message: expect.any(String) },
  ]);
});

test('a dealer can set the status of own translations only', async () => {
  const { id } = await translate(await car());
  expect((await changeAll([id], 'IN_PROGRESS', people.dealer)).errors).toEqual([]);
  const refused = { updated: [], errors: [{ translationId: id, code: 'ownership_required' }] };
  expect(await changeAll([id], 'DRAFT', people.rival)).toMatchObject(refused);
});

test.each([
  ['no ids', []],
  ['one id twice', Array<string>(2).fill(newId('translation'))],
  ['201 ids', Array.from({ length: 201 }, () => newId('translation'))],
])('setting the status of %s is refused', async (_, ids) => {
  const errors = [{ pointer: '#/ids' }];
  expect(await changeAll(ids, 'DRAFT')).toBeRefused(422, undefined, { errors });
});

test('200 translations are updated in the requested order', async () => {
  const source = await car();
  const ids: string[] = [];
  for (const language of ['fr', 'de', 'ar', 'pt-br', 'nl'])
    ids.unshift((await translate(source, { language })).id);
  const missing = Array.from({ length: 195 }, () => newId('translation'));
  const { updated, errors } = await changeAll([...ids, ...missing], 'NEEDS_REVIEW');
  expect(errors).toHaveLength(195);
  expect(updated.map(({ id }) => id)).toEqual(ids);
});

test('all translations of a source are marked as outdated, but not the source', async () => {
  const source = await car();
  const made = [await translate(source), await translate(source, { language: 'de' })];
  const mark = (groupId: string) =>
    people.editor.markTranslationsOutdated(
      { groupId, note: 'New engine' },
      'updated { id outdated note } errors { code }',
    );
  const { updated, errors } = await mark(made[0]?.groupId ?? '');
  expect(errors).toEqual([]);
  expect(updated).toHaveLength(2);
  expect(updated).toEqual(
    expect.arrayContaining(made.map(({ id }) => ({ id, outdated: true, note: 'New engine' }))),
  );
  expect(await mark(newId('group'))).toBeRefused(404, 'relation_not_found');
});

test('acknowledging a source change stores the digest, and is refused for an invalid one', async () => {
  const source = await car();
  const { id, version } = await translate(source);
  await rename(source, 'Another car');
  const before = await readAgain(id);
  expect(before.outdated).toBe(true);
  const sourceDigest = before.currentSourceDigest as string;
  const acknowledge = (digest: string, as = people.editor) =>
    as.acknowledgeSourceChange({ id, sourceDigest: digest }, 'translation { outdated sourceDigest version }');
  const { translation } = await acknowledge(sourceDigest);
  expect(translation).toEqual({ outdated: false, sourceDigest, version: version + 1 });
  expect(await acknowledge('abc')).toBeRefused(422);
  expect(await acknowledge(sourceDigest, people.translator)).toBeRefused(403, 'not_assignee');
});

test('a manager can assign any translation, and a contributor can only take and return one', async () => {
  const { editor, translator, colleague } = people;
  const { id } = await translate(await car());
  const assign = (assigneeId: string | null, as = editor, dueAt: Date | null = null) =>
    as.assignTranslation({ id, assigneeId, dueAt }, 'translation { assigneeId dueAt }');
  // The type of the input is that of the parsed scalar.
  const dueAt = '2030-01-01T00:00:00.000Z' as unknown as Date;
  const assigned = await assign(translator.id, editor, dueAt);
  expect(assigned.translation).toMatchObject({ assigneeId: translator.id, dueAt });
  expect(await assign(colleague.id, colleague)).toBeRefused(403, 'not_assignee');
  expect((await assign(null, translator)).translation.assigneeId).toBeNull();
  expect((await assign(colleague.id, colleague)).translation.assigneeId).toBe(colleague.id);
  expect(await assign(translator.id, colleague)).toBeRefused(403, 'permission_required');
});

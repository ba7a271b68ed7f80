import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { type SeededInstallation, type SeededUser, seed } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildIdentity } from '../server.ts';
import { ConsentModel } from './model.ts';

let stack: TestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
  shop = await seed(stack).installation({
    settings: { consentVersions: { terms: '2026-01', privacy: '2', marketing: '1', analytics: '1' } },
  });
});
afterAll(() => stack.close());

const put = ({ token }: SeededUser, input: object) =>
  stack.execute(
    `mutation ($input: PutMyConsentInput!) { putMyConsent(input: $input) {
      consent { purpose version granted at source } } }`,
    { input: { purpose: 'terms', version: '2026-01', granted: true, ...input } },
    { as: token, installation: shop.installation },
  );
const consentsOf = async ({ token }: SeededUser) =>
  (
    await stack.execute(
      '{ me { version consents { purpose version granted source } } }',
      {},
      { as: token, installation: shop.installation },
    )
  ).data?.me;
const historyOf = ({ id }: SeededUser) =>
  scoped(ConsentModel, shop.installation.id).find({ userId: id }, { sort: { at: 1, _id: 1 } });

test('a decision is answered, shown in one’s own view, and kept', async () => {
  const user = await shop.user();
  const { data, errors } = await put(user, {});
  expect(errors).toBeUndefined();
  expect(data?.putMyConsent.consent).toMatchObject({
    purpose: 'terms',
    version: '2026-01',
    granted: true,
    source: 'web',
  });
  expect(await consentsOf(user)).toEqual({
    version: 2,
    consents: [{ purpose: 'terms', version: '2026-01', granted: true, source: 'web' }],
  });
});

test('every change of mind stays in the history, the latest one alone in one’s own view', async () => {
  const user = await shop.user();
  await put(user, { purpose: 'marketing', version: '1' });
  await put(user, { purpose: 'marketing', version: '1', granted: false, source: 'settings-page' });
  await put(user, { purpose: 'analytics', version: '1', granted: false });
  expect((await historyOf(user)).map(({ purpose, granted }) => [purpose, granted])).toEqual([
    ['marketing', true],
    ['marketing', false],
    ['analytics', false],
  ]);
  expect((await consentsOf(user)).consents).toEqual([
    { purpose: 'marketing', version: '1', granted: false, source: 'settings-page' },
    { purpose: 'analytics', version: '1', granted: false, source: 'web' },
  ]);
});

test('the same decision again adds nothing and answers the first one', async () => {
  const user = await shop.user();
  const first = (await put(user, {})).data;
  stack.advance(60_000);
  expect((await put(user, { source: 'app' })).data).toEqual(first);
  expect(await historyOf(user)).toHaveLength(1);
  expect((await consentsOf(user)).version).toBe(2);
});

test('by twenty requests at once it is one decision', async () => {
  const user = await shop.user();
  const results = await Promise.all(Array.from({ length: 20 }, () => put(user, {})));
  expect(results.filter(({ errors }) => errors)).toEqual([]);
  expect(await historyOf(user)).toHaveLength(1);
});

test('consent to another version of the text is none, and the current one is named', async () => {
  const user = await shop.user();
  expect(problemOf(await put(user, { version: '2025-01' }))).toMatchObject({
    code: 'consent_version_outdated',
    status: 409,
    currentVersion: '2026-01',
  });
  expect(await historyOf(user)).toEqual([]);
});

test.each(['ai_processing', 'TERMS', 'constructor', ''])('the purpose %j does not exist', async (purpose) => {
  const user = await shop.user();
  expect(problemOf(await put(user, { purpose }))).toMatchObject({ code: 'not_found', status: 404 });
});

test.each([
  [{ version: '' }, '#/version'],
  [{ version: 'x'.repeat(61) }, '#/version'],
  [{ source: 'The Web' }, '#/source'],
  [{ source: 'x'.repeat(41) }, '#/source'],
])('%j is refused and says where', async (input, pointer) => {
  const user = await shop.user();
  expect(problemOf(await put(user, input))).toMatchObject({
    code: 'validation_failed',
    status: 422,
    errors: [{ pointer }],
  });
});

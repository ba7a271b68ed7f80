import { concurrently } from '../../../../test/support/concurrently.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { type SeededInstallation } from '../../../../test/support/seed.ts';
import { ConsentModel } from './model.ts';

const { neighbour, stack } = product();
let shop: SeededInstallation;
beforeAll(async () => {
  const consentVersions = { terms: '2026-01', privacy: '2', marketing: '1', analytics: '1' };
  shop = await neighbour({ settings: { consentVersions } });
});
const user = perTest(() => shop.user());

const terms = { purpose: 'terms', version: '2026-01', granted: true };
const put = (input: object = {}) => user.putMyConsent({ ...terms, ...input });
const shown = () => user.me({}, 'version consents { purpose version granted source }');
const history = () => shop.records(ConsentModel).find({ userId: user.id }, { sort: { at: 1, _id: 1 } });

test('every consent decision is stored, and the profile contains the latest one for each purpose', async () => {
  const marketing = { purpose: 'marketing', version: '1' };
  const analytics = { purpose: 'analytics', version: '1', granted: false };
  expect((await put(marketing)).consent).toMatchObject({ ...marketing, granted: true, source: 'web' });
  await put({ ...marketing, granted: false, source: 'settings-page' });
  await put(analytics);
  expect((await history()).map(({ purpose, granted }) => [purpose, granted])).toEqual([
    ['marketing', true],
    ['marketing', false],
    ['analytics', false],
  ]);
  expect((await shown()).consents).toEqual([
    { ...marketing, granted: false, source: 'settings-page' },
    { ...analytics, source: 'web' },
  ]);
});

test('a repeated consent decision is stored once and returns the first one, also for concurrent requests', async () => {
  const answers = await concurrently(20, () => put());
  expect(answers.some(isRefused)).toBe(false);
  const first = await put();
  stack.advance(60_000);
  expect(await put({ source: 'app' })).toEqual(first);
  expect(await history()).toHaveLength(1);
  expect(await shown()).toEqual({ version: 2, consents: [{ ...terms, source: 'web' }] });
});

test('a consent to another version of the text is refused with the current version', async () => {
  const refused = await put({ version: '2025-01' });
  expect(refused).toBeRefused(409, 'consent_version_outdated', { currentVersion: '2026-01' });
  expect(await history()).toEqual([]);
});

test.each(['ai_processing', 'TERMS', 'constructor', ''])(
  'a consent with the unknown purpose %j is refused',
  async (purpose) => {
    expect(await put({ purpose })).toBeRefused(404, 'not_found');
  },
);

test.each([
  [{ version: '' }, '#/version'],
  [{ version: 'x'.repeat(61) }, '#/version'],
  [{ source: 'The Web' }, '#/source'],
  [{ source: 'x'.repeat(41) }, '#/source'],
])('a consent with %j is refused', async (input, pointer) => {
  expect(await put(input)).toBeInvalid(pointer);
});

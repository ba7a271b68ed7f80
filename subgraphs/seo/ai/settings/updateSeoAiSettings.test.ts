import mongoose from 'mongoose';
import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import type { SeededInstallation, SeededUser } from '../../../../test/support/seed.ts';
import { AuditEventModel } from '../../../platform/audit/store/model.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { UpdateSeoAiSettingsInput } from '../../seo.generated.ts';
import { AiSettingsModel } from './model.ts';
import { openProviderKey } from './providerKey.ts';

const world = product({ privateAiHosts: ['localhost:11434'] });
let shop: SeededInstallation;
let boss: SeededUser;
// Settings belong to an installation, so every test has its own.
beforeEach(async () => {
  shop = await world.neighbour();
  boss = await shop.staff('installation_admin');
});

const apiKey = 'sk-provider-secret-4711';
const provider = { baseUrl: 'https://models.example/v1', model: 'small', apiKey };
const update = async (input: Wire<UpdateSeoAiSettingsInput>) =>
  (await boss.updateSeoAiSettings(input)).settings;
const stored = () => scoped(AiSettingsModel, shop.installation.id).findOne({});
const invalid = (pointer: string) => [422, 'validation_failed', { errors: [{ pointer }] }] as const;

test('AI is disabled in an installation without settings', async () => {
  const settings = await boss.seoAiSettings();
  expect(settings).toMatchObject({ enabled: false, apiKeySet: false, revision: 0, currency: 'EUR' });
});

test('a change keeps the members that it leaves out and states its author', async () => {
  await update(provider);
  const change = { enabled: true, monthlyCostCapMicros: 3_000_000_000 };
  const kept = { model: 'small', apiKeySet: true };
  expect(await update(change)).toMatchObject({ ...change, ...kept, revision: 2, updatedBy: { id: boss.id } });
});

test('the API key is sealed in the database and never answered', async () => {
  const settings = await update(provider);
  expect(JSON.stringify(settings)).not.toContain(apiKey);
  expect(settings).toMatchObject({ apiKeySet: true, apiKeyLast4: '4711' });
  const raw = await mongoose.connection.collection('seo_ai_settings').find({}).toArray();
  expect(JSON.stringify(raw)).not.toContain(apiKey);
});

test('a sealed API key opens only for its origin and its installation', async () => {
  await update(provider);
  const { apiKey: sealed } = (await stored())!;
  const openFor = (baseUrl: string, { installation } = shop) =>
    openProviderKey(world.stack.contextFor({ installation }), baseUrl, sealed!);
  expect(openFor(provider.baseUrl)).toBe(apiKey);
  expect(openFor('https://thief.example/v1')).toBeNull();
  expect(openFor(provider.baseUrl, await world.neighbour())).toBeNull();
});

test('an API key is kept for another path of its origin and dropped for another origin', async () => {
  await update(provider);
  expect(await update({ baseUrl: 'https://models.example/v2' })).toMatchObject({ apiKeySet: true });
  expect(await update({ baseUrl: 'https://thief.example/v1' })).toMatchObject({ apiKeySet: false });
});

test('null clears the API key, and a key without an address is refused', async () => {
  await update(provider);
  expect(await update({ apiKey: null })).toMatchObject({ apiKeySet: false, apiKeyLast4: null });
  await update({ baseUrl: null });
  expect(await boss.updateSeoAiSettings({ apiKey })).toBeRefused(...invalid('#/apiKey'));
});

test('of concurrent changes of one revision one succeeds', async () => {
  await update(provider);
  const limits = Array.from({ length: 8 }, (_, index) => ({ maxOutputTokens: 100 + index }));
  const answers = await Promise.all(
    limits.map((limit) => boss.updateSeoAiSettings({ ...limit, expectedVersion: 1 })),
  );
  expect(answers.filter(isRefused)).toHaveLength(7);
  expect((await boss.seoAiSettings()).revision).toBe(2);
});

test('the audit log names the changed members without their values', async () => {
  await update(provider);
  const lines = await scoped(AuditEventModel, shop.installation.id).find({ action: 'updateSeoAiSettings' });
  expect(lines).toMatchObject([{ actor: { id: boss.id }, result: 'allowed' }]);
  expect(lines[0]?.reason?.split(' ').sort()).toEqual(['apiKey', 'baseUrl', 'model']);
});

test.each([
  ['baseUrl', 'http://models.example/v1'],
  ['baseUrl', 'https://127.0.0.1/v1'],
  ['baseUrl', 'https://169.254.169.254/latest'],
  ['baseUrl', 'https://user:secret@models.example/v1'],
  ['baseUrl', 'https://models.example/v1?key=1'],
  ['baseUrl', 'http://localhost:11435/v1'],
  ['model', ' '],
  ['apiKey', 'short'],
  ['apiKey', 'with a space in it'],
  ['allowedObjectTypes', []],
  ['allowedObjectTypes', ['LISTING', 'LISTING']],
  ['enabled', null],
  ['timeoutMs', null],
])('the setting %s: %j is refused and nothing is stored', async (member, value) => {
  expect(await boss.updateSeoAiSettings({ [member]: value })).toBeRefused(...invalid(`#/${member}`));
  expect(await stored()).toBeNull();
});

test('a private address that the operator listed is accepted without an API key', async () => {
  const settings = await update({ baseUrl: 'http://localhost:11434/v1/', model: 'own' });
  expect(settings.baseUrl).toBe('http://localhost:11434/v1');
});

import mongoose from 'mongoose';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildSeo } from '../server.ts';
import { AiSettingsModel, type StoredAiSettings } from './model.ts';
import { openProviderKey } from './providerKey.ts';

let stack: TestStack;
let administrator: SignedIn;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo], privateAiHosts: ['localhost:11434'] });
  administrator = await stack.signIn({ roles: ['installation_admin'] });
});
afterAll(() => stack.close());
beforeEach(() => AiSettingsModel.deleteMany({ installationId: stack.demo.id }));

const members = `enabled baseUrl model apiKeySet apiKeyLast4 timeoutMs monthlyCostCapMicros currency
  allowedObjectTypes structuredOutput revision updatedAt updatedBy { id }`;

function update(input: object) {
  return stack.execute(
    `mutation ($input: UpdateSeoAiSettingsInput!) { updateSeoAiSettings(input: $input) { settings { ${members} } } }`,
    { input },
    { as: administrator },
  );
}

async function updated(input: object) {
  const { data, errors } = await update(input);
  expect(errors).toBeUndefined();
  return data?.updateSeoAiSettings.settings;
}

async function read() {
  const { data } = await stack.execute(`{ seoAiSettings { ${members} } }`, {}, { as: administrator });
  return data?.seoAiSettings;
}

function stored(): Promise<StoredAiSettings | null> {
  return scoped(AiSettingsModel, stack.demo.id).findOne({ _id: stack.demo.id });
}

const key = 'sk-provider-secret-4711';
const provider = { baseUrl: 'https://models.example/v1', model: 'small', apiKey: key };

test('before anybody decides, no model is asked', async () => {
  expect(await read()).toMatchObject({ enabled: false, apiKeySet: false, revision: 0, currency: 'EUR' });
});

test('a change keeps what it does not name and says who made it', async () => {
  await updated(provider);
  const settings = await updated({ enabled: true, monthlyCostCapMicros: 3_000_000_000 });
  expect(settings).toMatchObject({
    enabled: true,
    model: 'small',
    apiKeySet: true,
    monthlyCostCapMicros: 3_000_000_000,
    revision: 2,
    updatedBy: { id: administrator.id },
  });
});

test('the key is sealed in the database and never answered', async () => {
  const answer = await update(provider);
  expect(JSON.stringify(answer)).not.toContain(key);
  expect(answer.data?.updateSeoAiSettings.settings).toMatchObject({ apiKeySet: true, apiKeyLast4: '4711' });
  const raw = await mongoose.connection.collection('seo_ai_settings').find({}).toArray();
  expect(JSON.stringify(raw)).not.toContain(key);
  const { apiKey } = (await stored()) ?? {};
  expect(apiKey && openProviderKey(stack.contextFor(), provider.baseUrl, apiKey)).toBe(key);
});

test('a sealed key opens neither for another origin nor in another installation', async () => {
  await updated(provider);
  const { apiKey } = (await stored()) ?? {};
  if (!apiKey) throw new Error('There is no key.');
  expect(openProviderKey(stack.contextFor(), 'https://thief.example/v1', apiKey)).toBeNull();
  const elsewhere = stack.contextFor({ installation: stack.other });
  expect(openProviderKey(elsewhere, provider.baseUrl, apiKey)).toBeNull();
});

test('a key does not follow to another origin, and stays for another path of the same one', async () => {
  await updated(provider);
  expect(await updated({ baseUrl: 'https://models.example/v2' })).toMatchObject({ apiKeySet: true });
  expect(await updated({ baseUrl: 'https://thief.example/v1' })).toMatchObject({ apiKeySet: false });
});

test('null clears the key, and a key without an address belongs to nobody', async () => {
  await updated(provider);
  expect(await updated({ apiKey: null })).toMatchObject({ apiKeySet: false, apiKeyLast4: null });
  await updated({ baseUrl: null });
  expect(problemOf(await update({ apiKey: key }))).toMatchObject({ errors: [{ pointer: '#/apiKey' }] });
});

test('an earlier revision changes nothing', async () => {
  await updated({ ...provider, expectedVersion: 0 });
  expect(problemOf(await update({ enabled: true, expectedVersion: 0 })).code).toBe('precondition_failed');
  expect(await read()).toMatchObject({ enabled: false, revision: 1 });
});

test('changes at once with one revision: one is made, the others are refused', async () => {
  await updated(provider);
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, index) => update({ maxOutputTokens: 100 + index, expectedVersion: 1 })),
  );
  expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
  expect(await read()).toMatchObject({ revision: 2 });
});

test('the audit names the members that changed and none of their values', async () => {
  await updated({ ...provider, model: 'audited-model' });
  const [line] = await scoped(AuditEventModel, stack.demo.id).find(
    { action: 'updateSeoAiSettings' },
    { sort: { at: -1, _id: -1 }, limit: 1 },
  );
  expect(line).toMatchObject({ actor: { id: administrator.id }, result: 'allowed' });
  expect(line?.reason?.split(' ').sort()).toEqual(['apiKey', 'baseUrl', 'model']);
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
  ['timeoutMs', 2999],
  ['timeoutMs', 20_001],
  ['maxOutputTokens', 49],
  ['monthlyCostCapMicros', -1],
  ['monthlyTokenCap', -1],
  ['dailyRequestsPerUser', 10_001],
  ['inputPriceMicros', 1e9 + 1],
  ['allowedObjectTypes', []],
  ['allowedObjectTypes', ['LISTING', 'LISTING']],
  ['enabled', null],
  ['timeoutMs', null],
])('%s: %j is refused with its place, and nothing is written', async (member, value) => {
  const problem = problemOf(await update({ [member]: value }));
  expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ pointer: `#/${member}` }] });
  expect(await stored()).toBeNull();
});

test('a provider at a private address is what the operator lists, and it needs no key', async () => {
  expect(await updated({ baseUrl: 'http://localhost:11434/v1/', model: 'own' })).toMatchObject({
    baseUrl: 'http://localhost:11434/v1',
  });
});

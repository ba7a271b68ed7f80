import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import type { SeededInstallation, SeededUser } from '../../../../test/support/seed.ts';
import { AuditEventModel } from '../../../platform/audit/store/model.ts';
import { EventModel } from '../../../platform/events/model.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { AcknowledgeSeoPrivacyInput } from '../../seo.generated.ts';
import { AcknowledgementModel } from './model.ts';
import { policyVersion, privacyPolicy } from './privacyPolicy.ts';

const world = product();
let shop: SeededInstallation;
let boss: SeededUser;
let editor: SeededUser;
// Settings and acknowledgements belong to an installation, so every test has its own.
beforeEach(async () => {
  shop = await world.neighbour();
  boss = await shop.staff('installation_admin');
  editor = await shop.staff('editor');
  const apiKey = 'sk-12345678';
  await configure({ enabled: true, baseUrl: 'https://models.example/v1', model: 'small', apiKey });
});

const acknowledgements = () => scoped(AcknowledgementModel, shop.installation.id);
const configure = (input: Parameters<SeededUser['updateSeoAiSettings']>[0]) =>
  boss.updateSeoAiSettings(input);
const submit = (input: Partial<Wire<AcknowledgeSeoPrivacyInput>> = {}, by = boss) =>
  by.acknowledgeSeoPrivacy({ policyVersion, ...input });
const acknowledge = async (input: Partial<Wire<AcknowledgeSeoPrivacyInput>> = {}, by = boss) =>
  (await submit(input, by)).acknowledgement;
const status = (by = editor) => by.seoAiStatus();

test('an acknowledgement of the installation opens the gate and records what was shown', async () => {
  const { policyText, policyHash, ...before } = await status();
  const blockedBy = 'seo_ai_acknowledgement_required';
  expect(before).toMatchObject({ acknowledged: false, acknowledgement: null, blockedBy });
  expect(policyText).toContain('models.example');
  expect(await acknowledge({ textHash: policyHash })).toMatchObject({
    scope: 'INSTALLATION',
    textHash: privacyPolicy('en', 'models.example').hash,
    providerHost: 'models.example',
    acknowledgedBy: { id: boss.id },
    valid: true,
    invalidReason: null,
  });
  expect(await status()).toMatchObject({ acknowledged: true, blockedBy: null });
});

test('an acknowledgement is invalid while the settings name another provider', async () => {
  const { id } = await acknowledge();
  await configure({ baseUrl: 'https://elsewhere.example/v1', apiKey: 'sk-12345678' });
  const acknowledgement = { id, invalidReason: 'PROVIDER_CHANGED' };
  expect(await status()).toMatchObject({ acknowledged: false, acknowledgement });
  await configure({ baseUrl: 'https://models.example/v2', apiKey: 'sk-12345678' });
  expect(await status()).toMatchObject({ acknowledged: true, acknowledgement: { id } });
});

test('an acknowledgement of an earlier policy is invalid', async () => {
  const { id } = await acknowledge();
  const earlier = { policyVersion: '2020-01-01', opens: 'installation  2020-01-01 models.example' };
  await AcknowledgementModel.collection.updateOne({ _id: id as never }, { $set: earlier });
  const acknowledgement = { id, invalidReason: 'POLICY_CHANGED' };
  expect(await status()).toMatchObject({ acknowledged: false, acknowledgement });
});

test('acknowledging another version or another text than the present one is refused', async () => {
  const outdated = [undefined, 'consent_version_outdated', { currentVersion: policyVersion }] as const;
  expect(await submit({ policyVersion: '2020-01-01' })).toBeRefused(...outdated);
  const { hash } = privacyPolicy('en', 'elsewhere.example');
  expect(await submit({ textHash: hash })).toBeRefused(...outdated);
  expect(await acknowledgements().count({})).toBe(0);
});

test('concurrent acknowledgements create one record', async () => {
  const created = await Promise.all(Array.from({ length: 8 }, () => acknowledge()));
  expect(new Set(created.map(({ id }) => id)).size).toBe(1);
  expect(await acknowledgements().count({})).toBe(1);
});

test('a revocation closes the gate and is kept; a later acknowledgement is another record', async () => {
  const { id } = await acknowledge();
  const revoked = await boss.revokeSeoPrivacyAcknowledgement({ id });
  const state = { valid: false, invalidReason: 'REVOKED' };
  expect(revoked.acknowledgement).toMatchObject({ revokedBy: { id: boss.id }, ...state });
  const acknowledgement = { invalidReason: 'REVOKED' };
  expect(await status()).toMatchObject({ acknowledged: false, acknowledgement });
  expect(await boss.revokeSeoPrivacyAcknowledgement({ id })).toEqual(revoked);
  expect((await acknowledge()).id).not.toBe(id);
});

test('if the settings demand it, each user needs an acknowledgement of their own', async () => {
  await acknowledge();
  await configure({ requireUserAcknowledgement: true });
  expect(await status()).toMatchObject({ acknowledged: false, acknowledgement: null });
  const { id } = await acknowledge({ scope: 'USER' }, editor);
  expect((await status()).acknowledged).toBe(true);
  expect((await status(boss)).acknowledged).toBe(false);
  expect(await editor.revokeSeoPrivacyAcknowledgement({ id })).not.toBeRefused();
});

test('an acknowledgement without a provider is refused', async () => {
  await configure({ baseUrl: null });
  expect(await submit()).toBeRefused(undefined, 'seo_ai_not_configured');
  expect(await status()).toMatchObject({ configured: false, blockedBy: 'seo_ai_not_configured' });
  await configure({ enabled: false });
  expect((await status()).blockedBy).toBe('seo_ai_disabled');
});

test('an acknowledgement and a revocation are audited and published without the address of the client', async () => {
  const { id } = await acknowledge();
  await boss.revokeSeoPrivacyAcknowledgement({ id });
  const lines = await scoped(AuditEventModel, shop.installation.id).find({ 'target.id': id });
  const actions = ['acknowledgeSeoPrivacy', 'revokeSeoPrivacyAcknowledgement'];
  expect(lines.map(({ action }) => action).sort()).toEqual(actions);
  await world.stack.runJob('seo.relay');
  const events = await EventModel.find({ 'payload.acknowledgementId': id }).lean();
  expect(events.map(({ type }) => type).sort()).toEqual(['seo.ai.acknowledged', 'seo.ai.revoked']);
  expect(JSON.stringify(await acknowledgements().findOne({ _id: id }))).not.toContain('192.0.2.1');
});

test('a stored acknowledgement cannot be changed', async () => {
  const { id: _id } = await acknowledge();
  const changes = { providerHost: 'elsewhere.example', policyVersion: '2020-01-01' };
  const stored = await acknowledgements().findOneAndUpdate({ _id }, { $set: changes });
  expect(stored).toMatchObject({ providerHost: 'models.example', policyVersion });
});

test('the status names the first refusal that the caller would meet', async () => {
  await acknowledge();
  const { owner } = await shop.dealer();
  expect(await status(owner)).toMatchObject({ acknowledged: true, blockedBy: 'permission_required' });
  expect((await status()).blockedBy).toBeNull();
  await configure({ dailyRequestsPerUser: 0 });
  expect((await status()).blockedBy).toBe('seo_ai_budget_exceeded');
});

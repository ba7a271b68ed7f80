import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { EventModel } from '../../platform/events/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { AiSettingsModel } from '../ai-settings/model.ts';
import { buildSeo } from '../server.ts';
import { AcknowledgementModel } from './model.ts';
import { policyVersion, privacyPolicy } from './privacyPolicy.ts';

let stack: TestStack;
let administrator: SignedIn;
let editor: SignedIn;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo] });
  administrator = await stack.signIn({ roles: ['installation_admin'] });
  editor = await stack.signIn({ roles: ['editor'] });
});
afterAll(() => stack.close());
beforeEach(async () => {
  await AcknowledgementModel.collection.deleteMany({});
  await AiSettingsModel.deleteMany({ installationId: stack.demo.id });
  await configure({
    enabled: true,
    baseUrl: 'https://models.example/v1',
    model: 'small',
    apiKey: 'sk-12345678',
  });
});

async function configure(input: object) {
  const { errors } = await stack.execute(
    'mutation ($input: UpdateSeoAiSettingsInput!) { updateSeoAiSettings(input: $input) { settings { revision } } }',
    { input },
    { as: administrator },
  );
  expect(errors).toBeUndefined();
}

function acknowledge(input: object = {}, as = administrator) {
  return stack.execute(
    `mutation ($input: AcknowledgeSeoPrivacyInput!) { acknowledgeSeoPrivacy(input: $input) { acknowledgement {
      id scope policyVersion textHash providerHost acknowledgedBy { id } valid invalidReason } } }`,
    { input: { policyVersion, ...input } },
    { as },
  );
}

async function acknowledged(input: object = {}, as = administrator) {
  const { data, errors } = await acknowledge(input, as);
  expect(errors).toBeUndefined();
  return data?.acknowledgeSeoPrivacy.acknowledgement;
}

function revoke(id: string, as = administrator) {
  return stack.execute(
    `mutation ($input: RevokeSeoPrivacyAcknowledgementInput!) { revokeSeoPrivacyAcknowledgement(input: $input) {
      acknowledgement { id revokedAt revokedBy { id } valid invalidReason } } }`,
    { input: { id } },
    { as },
  );
}

async function status(as = editor) {
  const { data, errors } = await stack.execute(
    `{ seoAiStatus { enabled configured acknowledged blockedBy providerHost policyText policyHash
      acknowledgement { id scope invalidReason } } }`,
    {},
    { as },
  );
  expect(errors).toBeUndefined();
  return data?.seoAiStatus;
}

test('an acknowledgement of the installation opens the gate, with what was read on record', async () => {
  expect(await status()).toMatchObject({
    acknowledged: false,
    acknowledgement: null,
    blockedBy: 'seo_ai_acknowledgement_required',
  });
  const { policyText, policyHash } = await status();
  expect(policyText).toContain('models.example');
  const made = await acknowledged({ textHash: policyHash });
  expect(made).toMatchObject({
    scope: 'INSTALLATION',
    textHash: privacyPolicy('en', 'models.example').hash,
    providerHost: 'models.example',
    acknowledgedBy: { id: administrator.id },
    valid: true,
    invalidReason: null,
  });
  expect(await status()).toMatchObject({ acknowledged: true, blockedBy: null });
});

test('it lapses when the provider is another one, and is valid again when it is the former one', async () => {
  const { id } = await acknowledged();
  await configure({ baseUrl: 'https://elsewhere.example/v1', apiKey: 'sk-12345678' });
  expect(await status()).toMatchObject({
    acknowledged: false,
    acknowledgement: { id, invalidReason: 'PROVIDER_CHANGED' },
  });
  await configure({ baseUrl: 'https://models.example/v2', apiKey: 'sk-12345678' });
  expect(await status()).toMatchObject({ acknowledged: true, acknowledgement: { id } });
});

test('it lapses with the version of the policy, without being touched', async () => {
  const { id } = await acknowledged();
  await AcknowledgementModel.collection.updateOne(
    { _id: id as never },
    {
      $set: { policyVersion: '2020-01-01', opens: 'installation  2020-01-01 models.example' },
    },
  );
  expect(await status()).toMatchObject({
    acknowledged: false,
    acknowledgement: { id, invalidReason: 'POLICY_CHANGED' },
  });
});

test('an earlier version, or another text than the present one, is not acknowledged', async () => {
  expect(problemOf(await acknowledge({ policyVersion: '2020-01-01' }))).toMatchObject({
    code: 'consent_version_outdated',
    currentVersion: policyVersion,
  });
  const earlier = privacyPolicy('en', 'elsewhere.example').hash;
  expect(problemOf(await acknowledge({ textHash: earlier })).code).toBe('consent_version_outdated');
  expect(await AcknowledgementModel.countDocuments({ installationId: stack.demo.id })).toBe(0);
});

test('eight who acknowledge at once make one record', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => acknowledged()));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect(await AcknowledgementModel.countDocuments({ installationId: stack.demo.id })).toBe(1);
});

test('a revocation closes the gate at once and is kept with the record; a new one makes a new record', async () => {
  const { id } = await acknowledged();
  const { data } = await revoke(id);
  expect(data?.revokeSeoPrivacyAcknowledgement.acknowledgement).toMatchObject({
    revokedBy: { id: administrator.id },
    valid: false,
    invalidReason: 'REVOKED',
  });
  expect(await status()).toMatchObject({
    acknowledged: false,
    acknowledgement: { invalidReason: 'REVOKED' },
  });
  const { data: again } = await revoke(id);
  expect(again).toEqual(data);
  expect((await acknowledged()).id).not.toBe(id);
});

test('where it is demanded each user acknowledges for himself, and may take his own back', async () => {
  await acknowledged();
  await configure({ requireUserAcknowledgement: true });
  expect(await status()).toMatchObject({ acknowledged: false, acknowledgement: null });
  const { id } = await acknowledged({ scope: 'USER' }, editor);
  expect(await status()).toMatchObject({ acknowledged: true });
  expect(await status(administrator)).toMatchObject({ acknowledged: false });
  const stranger = await stack.signIn({ roles: ['editor'] });
  expect(problemOf(await revoke(id, stranger)).code).toBe('ownership_required');
  expect((await revoke(id, editor)).errors).toBeUndefined();
});

test('an editor neither acknowledges for the installation nor takes that back', async () => {
  expect(problemOf(await acknowledge({}, editor)).code).toBe('permission_required');
  const { id } = await acknowledged();
  expect(problemOf(await revoke(id, editor)).code).toBe('permission_required');
});

test('without a provider there is nothing to acknowledge', async () => {
  await configure({ baseUrl: null });
  expect(problemOf(await acknowledge()).code).toBe('seo_ai_not_configured');
  expect(await status()).toMatchObject({ configured: false, blockedBy: 'seo_ai_not_configured' });
  await configure({ enabled: false });
  expect(await status()).toMatchObject({ blockedBy: 'seo_ai_disabled' });
});

test("another installation's acknowledgement does not exist", async () => {
  const { id } = await acknowledged();
  const stranger = await stack.signIn({ roles: ['installation_admin'], installation: stack.other });
  const result = await stack.execute(
    'mutation ($id: ID!) { revokeSeoPrivacyAcknowledgement(input: { id: $id }) { acknowledgement { id } } }',
    { id },
    { as: stranger, installation: stack.other },
  );
  expect(problemOf(result).code).toBe('not_found');
});

test('both leave a line in the audit and an event, and the record keeps no address in the clear', async () => {
  const { id } = await acknowledged();
  await revoke(id);
  const lines = await scoped(AuditEventModel, stack.demo.id).find(
    { 'target.id': id },
    { sort: { at: 1, _id: 1 } },
  );
  expect(lines.map(({ action }) => action).sort()).toEqual([
    'acknowledgeSeoPrivacy',
    'revokeSeoPrivacyAcknowledgement',
  ]);
  await stack.runJob('seo.relay');
  const events = await EventModel.find({ 'payload.acknowledgementId': id }).lean();
  expect(events.map(({ type }) => type).sort()).toEqual(['seo.ai.acknowledged', 'seo.ai.revoked']);
  const stored = await AcknowledgementModel.findOne({ installationId: stack.demo.id, _id: id }).lean();
  expect(JSON.stringify(stored)).not.toContain('192.0.2.1');
});

test('what was acknowledged cannot be changed afterwards', async () => {
  const { id } = await acknowledged();
  const changed = await scoped(AcknowledgementModel, stack.demo.id).findOneAndUpdate(
    { _id: id },
    { $set: { providerHost: 'elsewhere.example', policyVersion: '2020-01-01' } },
  );
  expect(changed).toMatchObject({ providerHost: 'models.example', policyVersion });
});

test('the status names the first refusal that the caller would meet, whoever he is', async () => {
  await acknowledged();
  const dealer = await stack.signIn({ dealers: [{ dealerId: newId('dealer'), role: 'owner' }] });
  expect(await status(dealer)).toMatchObject({ acknowledged: true, blockedBy: 'permission_required' });
  expect(await status()).toMatchObject({ blockedBy: null });
  await configure({ dailyRequestsPerUser: 0 });
  expect(await status()).toMatchObject({ blockedBy: 'seo_ai_budget_exceeded' });
});

import { concurrently } from '../../../../test/support/concurrently.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { storeMedia } from '../../../../test/support/people/storeMedia.ts';
import { perFile, product } from '../../../../test/support/product.ts';
import type { SeededDealer } from '../../../../test/support/seed.ts';
import { newId } from '../../../platform/ids/newId.ts';
import type { PutDealerVerificationInput } from '../../identity.generated.ts';
import { MediaModel, type MediaRecord } from '../../media/model.ts';
import { DealerModel, type DealerRecord, neverQueued } from '../dealer/model.ts';
import { dayOf } from './day.ts';
import { dealerVerificationExpiryJob } from './dealerVerificationExpiry.ts';

const { market, neighbour, stack } = product();
const dayMs = 24 * 3600 * 1000;
const street = { line1: 'Hauptstr. 1', line2: null, region: null };
const address = { ...street, postalCode: '10115', city: 'Berlin', country: 'DE' };
let dealer: SeededDealer;

const moderator = perFile(() => market.staff('moderator'));
beforeEach(async () => {
  dealer = await apply();
});

const apply = () => market.dealer({ state: 'onboarding', address, contactPhone: '+4930123456' });
const now = () => stack.platform.now();
const dealers = () => market.records(DealerModel);
const files = () => market.records(MediaModel);
const stored = async ({ id } = dealer) => (await dealers().findOne({ _id: id })) as DealerRecord;
const change = (set: object, { id } = dealer) => dealers().findOneAndUpdate({ _id: id }, { $set: set });
const store = (
  changes: Partial<MediaRecord> = {},
  { id, installationId = market.installation.id }: { id: string; installationId?: string } = dealer,
) =>
  storeMedia(
    installationId,
    { type: 'dealer', id },
    { kind: 'document', purpose: 'verification', ...changes },
  );
const complete = async (of = dealer) => ({
  registrationNumber: 'HRB 12345 B',
  vatId: 'DE 136695976',
  representative: { givenName: 'Ada', familyName: 'Muster', birthDate: '1980-02-29' },
  tradingSince: '2010-05-01',
  documents: [
    { kind: 'ID' as const, mediaId: await store({}, of) },
    { kind: 'REGISTER_EXTRACT' as const, mediaId: await store({}, of) },
  ],
  selfCertification: true,
});
const draft = `verification { state version registrationNumber vatId representative { givenName familyName birthDate }
  tradingSince documents { kind mediaId expiresOn } selfCertification submittedAt reasonCodes approval { version } }`;
const put = (input: Partial<Wire<PutDealerVerificationInput>> = {}, { id, owner } = dealer) =>
  owner.putDealerVerification({ dealerId: id, ...input }, draft);
const submit = ({ id, owner } = dealer) => owner.submitDealerVerification({ dealerId: id });
const submitAll = async (of = dealer) => {
  await put(await complete(of), of);
  expect(await submit(of)).not.toBeRefused();
};
const state = 'dealer { state verification { state final reasonCodes note } }';
const approve = (members: { note?: string } = {}, { id } = dealer, by = moderator) =>
  by.approveDealer({ dealerId: id, ...members }, state);
const reject = (members: object = {}, { id } = dealer) =>
  moderator.rejectDealer({ dealerId: id, reasonCodes: ['DOCUMENT_UNREADABLE'], ...members }, state);
const mails = async () => (await stack.mailsTo(dealer.owner.email)).map(({ kind }) => kind);
const audits = (filter: object = {}) =>
  market.audits({ 'target.id': dealer.id, result: 'allowed', ...filter });

test('a verification draft is replaced completely, can be incomplete and keeps its version', async () => {
  const first = await put({ registrationNumber: ' HRB 1 ' });
  expect(first.verification).toMatchObject({
    state: 'DRAFT',
    version: 1,
    registrationNumber: 'HRB 1',
    vatId: null,
    representative: null,
    documents: [],
    selfCertification: false,
    submittedAt: null,
    approval: null,
  });
  const input = await complete();
  const documents = input.documents.map((document) => ({ ...document, expiresOn: null }));
  const { verification } = await put(input);
  expect(verification).toMatchObject({ ...input, vatId: 'DE136695976', documents, version: 1 });
  const { version } = await stored();
  await put(input);
  expect(await stored()).toMatchObject({ version });
});

test('a refused verification draft names every invalid member, and does not reveal files of others', async () => {
  const elsewhere = await neighbour();
  const mediaId = await store();
  const today = dayOf(new Date(now()));
  const ofOwner = { owner: { type: 'user' as const, id: dealer.owner.id } };
  const unknown = [
    newId('media'),
    'x',
    await store({}, await market.dealer()),
    await store({ purpose: 'logo' }),
    await store({ state: 'processing' }),
    await store({}, { id: dealer.id, installationId: elsewhere.installation.id }),
    await store(ofOwner),
  ];
  const answer = await put({
    registrationNumber: 'x'.repeat(41),
    vatId: 'DE136695977',
    representative: { givenName: '', familyName: '\u202eB', birthDate: today },
    tradingSince: '2999-01-01',
    documents: [
      ...unknown.map((id) => ({ kind: 'ID' as const, mediaId: id })),
      { kind: 'ID', mediaId, expiresOn: today },
      { kind: 'ID', mediaId, expiresOn: '2020-01-01' },
      { kind: 'OTHER', mediaId: await store(), expiresOn: '2030-02-30' },
    ],
  });
  const names = ['givenName', 'familyName', 'birthDate'].map((name) => `representative/${name}`);
  const ofDocuments = ['8/mediaId', '8/expiresOn', '9/expiresOn'].map((place) => `documents/${place}`);
  const wrong = ['registrationNumber', 'vatId', ...names, 'tradingSince'];
  const detail = 'This file does not exist.';
  expect(answer).toBeRefused(422, 'validation_failed', {
    errors: [
      ...wrong.map((place) => ({ pointer: `#/${place}` })),
      ...unknown.map((_, index) => ({ pointer: `#/documents/${index}/mediaId`, detail })),
      ...ofDocuments.map((place) => ({ pointer: `#/${place}` })),
    ],
  });
});

test('a representative with an invalid date of birth, born before 1900 or younger than 18 is refused', async () => {
  const birthday = new Date(now());
  birthday.setUTCFullYear(birthday.getUTCFullYear() - 18);
  const tooYoung = dayOf(new Date(birthday.getTime() + dayMs));
  const bornOn = (birthDate: string) => ({
    representative: { givenName: 'A', familyName: 'B', birthDate },
  });
  for (const day of ['1980-02-30', '1899-12-31', tooYoung])
    expect(await put(bornOn(day))).toBeInvalid('#/representative/birthDate');
  expect(await put(bornOn(dayOf(birthday)))).not.toBeRefused();
});

test('a verification with eleven documents is refused', async () => {
  const document = { kind: 'OTHER' as const, mediaId: newId('media') };
  expect(await put({ documents: Array.from({ length: 11 }, () => document) })).toBeInvalid('#/documents');
});

test('a suspended dealer can neither write nor submit a verification', async () => {
  await change({ state: 'suspended' });
  expect(await put()).toBeRefused(403, 'dealer_not_active');
  expect(await submit()).toBeRefused(403, 'dealer_not_active');
});

test('an incomplete verification is refused with every missing member', async () => {
  dealer = await market.dealer({ state: 'onboarding' });
  const missing = (...pointers: string[]) =>
    [422, 'verification_incomplete', { errors: pointers.map((pointer) => ({ pointer })) }] as const;
  const ofDealer = ['#/address', '#/contactPhone'];
  const papers = '#/verification/documents';
  const identity = ['#/verification/registrationNumber', '#/verification/representative'];
  const everything = [...ofDealer, ...identity, papers, papers, '#/verification/selfCertification'];
  expect(await submit()).toBeRefused(...missing(...everything));
  const { documents, ...others } = await complete();
  await put({ ...others, registrationNumber: null, documents: documents.slice(0, 1) });
  expect(await submit()).toBeRefused(...missing(...ofDealer, papers));
  await change({ address, contactPhone: '+4930123456' });
  await put({ ...others, documents });
  await files().findOneAndUpdate({ _id: documents[1]?.mediaId ?? '' }, { $set: { state: 'blocked' } });
  expect(await submit()).toBeRefused(...missing('#/verification/documents/1/mediaId'));
});

test('submitting a verification queues the dealer and locks the draft until the decision', async () => {
  await submitAll();
  expect((await stored()).queuedAt.getTime()).toBeLessThanOrEqual(now());
  expect(await put()).toBeRefused(409, 'verification_locked');
  expect(await submit()).toBeRefused(409, 'invalid_transition', {
    allowedFrom: { state: 'submitted', allowed: ['approved', 'rejected'] },
  });
});

test('one of twenty concurrent submissions of a verification succeeds', async () => {
  await put(await complete());
  expect(await concurrently(20, () => submit())).toBeRefusedTimes(19);
  expect((await stored()).verification).toMatchObject({ state: 'submitted', version: 1 });
});

test('an approval of a dealer is valid for 24 months, activates the dealer, and is mailed and audited', async () => {
  await submitAll();
  const from = now();
  const approved = { state: 'ACTIVE', verification: { state: 'APPROVED' } };
  expect(await approve({ note: 'Welcome.' })).toMatchObject({ dealer: approved });
  const { approval, verification } = await stored();
  expect(verification).toMatchObject({ state: 'approved', version: 1, note: 'Welcome.' });
  const kept = { version: 1, registrationNumber: 'HRB 12345 B', approvedBy: moderator.id };
  expect(approval).toMatchObject(kept);
  const months = ((approval?.expiresAt.getTime() ?? 0) - from) / dayMs / 30.4;
  expect(Math.round(months)).toBe(24);
  expect(await mails()).toEqual(['dealerApproved']);
  expect((await audits()).map(({ action, actor }) => [action, actor.id])).toEqual([
    ['submitDealerVerification', dealer.owner.id],
    ['approveDealer', moderator.id],
  ]);
  expect((await dealer.listing({ published: true })).slug).not.toBeNull();
});

test('an approval of a dealer expires with the first of its documents', async () => {
  const input = await complete();
  const last = new Date(now() + 90 * dayMs);
  const documents = input.documents.map((one, index) => (index ? one : { ...one, expiresOn: dayOf(last) }));
  await put({ ...input, documents });
  await submit();
  await approve();
  const next = dayOf(new Date(last.getTime() + dayMs));
  expect((await stored()).approval?.expiresAt.toISOString()).toBe(`${next}T00:00:00.000Z`);
});

test('an approval releases the documents that only the previous approval contained', async () => {
  await submitAll();
  const [kept = '', dropped = ''] = (await stored()).verification.documents.map(({ mediaId }) => mediaId);
  await approve();
  const content = await complete();
  const added = content.documents[1]?.mediaId ?? '';
  await put({
    ...content,
    documents: content.documents.map((one, i) => (i ? one : { ...one, mediaId: kept })),
  });
  const usages = async () => {
    const found = await Promise.all([kept, dropped, added].map((_id) => files().findOne({ _id })));
    return found.map((file) => file?.usage);
  };
  const use = [{ type: 'verification', id: dealer.id }];
  expect(await usages()).toEqual([use, use, use]);
  await submit();
  await approve();
  expect(await usages()).toEqual([use, [], use]);
});

test('a staff member cannot approve their own dealer or their own submission', async () => {
  const insider = await market.staff('installation_admin');
  dealer = await market.dealer({
    state: 'onboarding',
    address,
    contactPhone: '+4930123456',
    members: [{ userId: insider.id, role: 'owner' }],
  });
  await put(await complete());
  await insider.submitDealerVerification({ dealerId: dealer.id });
  expect(await approve({}, dealer, insider)).toBeRefused(403, 'four_eyes');
  await change({ members: (await stored()).members.filter(({ userId }) => userId !== insider.id) });
  stack.platform.forgetPrincipal({ userId: insider.id });
  expect(await approve({}, dealer, insider)).toBeRefused(403, 'four_eyes');
  expect(await approve()).not.toBeRefused();
});

test('an approval stays valid while a new version is written, submitted and rejected', async () => {
  await submitAll();
  await approve();
  const renewed = await put({ ...(await complete()), registrationNumber: 'HRB 2' });
  const second = { state: 'DRAFT', version: 2, registrationNumber: 'HRB 2' };
  expect(renewed.verification).toMatchObject({ ...second, approval: { version: 1 } });
  expect(await stored()).toMatchObject({ state: 'active', queuedAt: neverQueued });
  await submit();
  expect(await reject()).toMatchObject({ dealer: { state: 'ACTIVE' } });
  expect(await stored()).toMatchObject({
    state: 'active',
    verification: { state: 'rejected', version: 2 },
    approval: { version: 1, registrationNumber: 'HRB 12345 B' },
  });
  await submit();
  await approve();
  const approval = { version: 3, registrationNumber: 'HRB 2' };
  expect(await stored()).toMatchObject({ state: 'active', approval });
});

test('a dealer without a submission or in the state closing can be neither approved nor rejected', async () => {
  const allowedFrom = { state: 'not_started', allowed: ['draft'] };
  for (const decide of [approve, reject])
    expect(await decide()).toBeRefused(409, 'invalid_transition', { allowedFrom });
  await submitAll();
  await change({ state: 'closing' });
  for (const decide of [approve, reject]) expect(await decide()).toBeRefused(409, 'invalid_transition');
});

test('a job ends an expired approval once, and keeps a new draft', async () => {
  const [writing, young] = [await apply(), await apply()];
  for (const one of [dealer, writing, young]) {
    await submitAll(one);
    await approve({}, one);
  }
  await put(await complete(writing), writing);
  for (const one of [dealer, writing]) await change({ 'approval.expiresAt': new Date(now() - 1) }, one);
  for (let round = 0; round < 2; round += 1) await stack.runJob(dealerVerificationExpiryJob.name);
  const expired = { approval: null, verification: { state: 'expired', version: 1 } };
  expect(await stored()).toMatchObject({ state: 'active', ...expired });
  const draft = { approval: null, verification: { state: 'draft', version: 2 } };
  expect(await stored(writing)).toMatchObject(draft);
  expect(await stored(young)).toMatchObject({ approval: { version: 1 } });
  const ids = [dealer, writing, young].map(({ id }) => id);
  const audited = { action: 'dealerVerificationExpired', 'target.id': { $in: ids } };
  expect(await audits(audited)).toHaveLength(2);
  expect(await mails()).toEqual(['dealerApproved', 'dealerVerificationExpired']);
  expect((await put(await complete())).verification).toMatchObject({ state: 'DRAFT', version: 2 });
});

test('a rejection of a dealer states its reasons and is mailed, and a new version can be submitted', async () => {
  await submitAll();
  const rejected = { state: 'REJECTED', reasonCodes: ['OTHER'], note: 'Page 2 is dark.', final: false };
  const answer = await reject({ note: 'Page 2 is dark.', reasonCodes: ['OTHER', 'OTHER'] });
  expect(answer).toMatchObject({ dealer: { state: 'ONBOARDING', verification: rejected } });
  expect(await mails()).toEqual(['dealerRejected']);
  const renewed = await put(await complete());
  expect(renewed.verification).toMatchObject({ state: 'DRAFT', version: 2, reasonCodes: ['OTHER'] });
  const submitted = { state: 'SUBMITTED', reasonCodes: [], note: null };
  expect((await submit()).verification).toMatchObject(submitted);
});

test('a rejection of a dealer without a reason and a decision with an invalid note are refused', async () => {
  await submitAll();
  expect(await reject({ reasonCodes: [] })).toBeInvalid('#/reasonCodes');
  for (const note of ['x'.repeat(2001), '\u0000', '<script>'])
    for (const decide of [approve, reject]) expect(await decide({ note })).toBeInvalid('#/note');
  expect((await stored()).verification.state).toBe('submitted');
});

test('a draft of a finally rejected verification is refused', async () => {
  await submitAll();
  await reject({ final: true });
  expect(await put()).toBeRefused(409, 'verification_locked');
});

test('one of twenty concurrent decisions about a dealer succeeds, with one audit entry and one mail', async () => {
  await submitAll();
  const answers = await concurrently(20, (index) => (index % 2 ? approve() : reject()));
  expect(answers).toBeRefusedTimes(19, 409);
  expect(await audits({ action: { $in: ['approveDealer', 'rejectDealer'] } })).toHaveLength(1);
  expect(await mails()).toHaveLength(1);
  const { state, verification, approval } = await stored();
  const isActive = state === 'active';
  expect(state).toBe(isActive ? 'active' : 'onboarding');
  expect(verification.state).toBe(isActive ? 'approved' : 'rejected');
  expect(approval !== null).toBe(isActive);
});

import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { DealerModel, type DealerRecord, neverQueued } from '../dealer/model.ts';
import { MailModel } from '../mail/model.ts';
import { MediaModel, type MediaRecord, newMedia } from '../media/model.ts';
import { dayOf } from './day.ts';
import { dealerVerificationExpiryJob } from './dealerVerificationExpiry.ts';

const world = product();
const { market } = world;
const day = 24 * 3600 * 1000;

let moderator: SeededUser;

beforeAll(async () => {
  moderator = await market.staff('moderator');
});

const fields = `state version registrationNumber vatId representative { givenName familyName birthDate } tradingSince
  documents { kind mediaId expiresOn } selfCertification submittedAt decidedAt reasonCodes note final
  approval { version approvedAt expiresAt }`;
const documents: Record<string, string> = {
  put: `mutation ($input: PutDealerVerificationInput!) { putDealerVerification(input: $input) { verification { ${fields} } } }`,
  submit: `mutation ($input: SubmitDealerVerificationInput!) { submitDealerVerification(input: $input) { verification { ${fields} } } }`,
  approve:
    'mutation ($input: ApproveDealerInput!) { approveDealer(input: $input) { dealer { id state version verification { state } } } }',
  reject:
    'mutation ($input: RejectDealerInput!) { rejectDealer(input: $input) { dealer { id state version verification { state final reasonCodes note } } } }',
};
const run = (name: string, dealer: { id: string }, input: object, by: { token: string }) =>
  world.stack.execute(
    documents[name] ?? '',
    { input: { dealerId: dealer.id, ...input } },
    { as: by.token, installation: market.installation },
  );
const done = async (result: Promise<{ data?: any; errors?: any }>) => {
  const { data, errors } = await result;
  if (errors) throw errors[0];
  const payload: any = Object.values(data)[0];
  return payload.verification ?? payload.dealer;
};
const put = (dealer: SeededDealer, input: object) => run('put', dealer, input, dealer.owner);
const submit = (dealer: SeededDealer, input: object = {}) => run('submit', dealer, input, dealer.owner);
const stored = (id: string) => scoped(DealerModel, market.installation.id).findOne({ _id: id });
const change = (id: string, $set: object) =>
  scoped(DealerModel, market.installation.id).findOneAndUpdate({ _id: id }, { $set });

const file = async (
  ownerId: string,
  options: Partial<MediaRecord> = {},
  installationId = market.installation.id,
): Promise<string> => {
  const record = await scoped(MediaModel, installationId).insert(
    newMedia({
      _id: newId('media'),
      owner: { type: 'dealer', id: ownerId },
      kind: 'document',
      purpose: 'verification',
      state: 'ready',
      filename: 'extract.pdf',
      contentType: 'application/pdf',
      byteSize: 1000,
      createdAt: new Date(world.stack.platform.now()),
      ...options,
    }),
  );
  return record._id;
};
const complete = async ({ id }: { id: string }) => ({
  registrationNumber: 'HRB 12345 B',
  vatId: 'DE 136695976',
  representative: { givenName: 'Ada', familyName: 'Muster', birthDate: '1980-02-29' },
  tradingSince: '2010-05-01',
  documents: [
    { kind: 'ID', mediaId: await file(id) },
    { kind: 'REGISTER_EXTRACT', mediaId: await file(id) },
  ],
  selfCertification: true,
});
const address = {
  line1: 'Hauptstr. 1',
  line2: null,
  postalCode: '10115',
  city: 'Berlin',
  region: null,
  country: 'DE',
};
const applicant = () => market.dealer({ state: 'onboarding', address, contactPhone: '+4930123456' });
const submitted = async (): Promise<SeededDealer> => {
  const dealer = await applicant();
  await done(put(dealer, await complete(dealer)));
  await done(submit(dealer));
  return dealer;
};
const approve = (dealer: { id: string }, input: object = {}, by = moderator) =>
  run('approve', dealer, input, by);
const reject = (dealer: { id: string }, input: object = {}, by = moderator) =>
  run('reject', dealer, { reasonCodes: ['DOCUMENT_UNREADABLE'], ...input }, by);
const mailsTo = (to: string) =>
  scoped(MailModel, market.installation.id).find({ to }, { sort: { createdAt: 1 } });

describe('a draft', () => {
  test('is stated whole, may be incomplete, and keeps its number while it is written', async () => {
    const dealer = await applicant();
    expect(await done(put(dealer, { registrationNumber: ' HRB 1 ' }))).toMatchObject({
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
    const input = await complete(dealer);
    expect(await done(put(dealer, input))).toMatchObject({
      ...input,
      vatId: 'DE136695976',
      documents: input.documents.map((document) => ({ ...document, expiresOn: null })),
      version: 1,
    });
    const { version } = (await stored(dealer.id)) ?? {};
    await done(put(dealer, input));
    expect(await stored(dealer.id)).toMatchObject({ version });
  });

  test('names every member that is wrong', async () => {
    const dealer = await applicant();
    const other = await market.dealer();
    const elsewhere = await world.neighbour();
    const mine = await file(dealer.id);
    const today = dayOf(new Date(world.stack.platform.now()));
    const wrong = [
      { kind: 'ID', mediaId: newId('media') },
      { kind: 'ID', mediaId: 'x' },
      { kind: 'ID', mediaId: await file(other.id) },
      { kind: 'ID', mediaId: await file(dealer.id, { purpose: 'logo' }) },
      { kind: 'ID', mediaId: await file(dealer.id, { state: 'processing' }) },
      { kind: 'ID', mediaId: await file(dealer.id, {}, elsewhere.installation.id) },
      { kind: 'ID', mediaId: await file(dealer.owner.id, { owner: { type: 'user', id: dealer.owner.id } }) },
      { kind: 'ID', mediaId: mine, expiresOn: today },
      { kind: 'ID', mediaId: mine, expiresOn: '2020-01-01' },
      { kind: 'OTHER', mediaId: await file(dealer.id), expiresOn: '2030-02-30' },
    ];
    const problem = problemOf(
      await put(dealer, {
        registrationNumber: 'x'.repeat(41),
        vatId: 'DE136695977',
        representative: { givenName: '', familyName: '\u202eB', birthDate: today },
        tradingSince: '2999-01-01',
        documents: wrong,
      }),
    );
    expect(problem).toMatchObject({ code: 'validation_failed', status: 422 });
    expect(problem.errors.map(({ pointer }) => pointer)).toEqual([
      '#/registrationNumber',
      '#/vatId',
      '#/representative/givenName',
      '#/representative/familyName',
      '#/representative/birthDate',
      '#/tradingSince',
      ...[0, 1, 2, 3, 4, 5, 6].map((index) => `#/documents/${index}/mediaId`),
      '#/documents/8/mediaId',
      '#/documents/8/expiresOn',
      '#/documents/9/expiresOn',
    ]);
    const unknown = problem.errors.filter(({ pointer }) => /documents\/[0-6]\/mediaId/.test(pointer));
    expect(new Set(unknown.map((one: any) => one.detail)).size).toBe(1);
  });

  test.each([
    ['a birthday that is no day', { birthDate: '1980-02-30' }],
    ['a birthday of the century before last', { birthDate: '1899-12-31' }],
    ['a representative who is 18 tomorrow', { birthDate: 'tomorrow' }],
  ])('refuses %s', async (_, { birthDate }) => {
    const tomorrow = new Date(world.stack.platform.now() + day);
    tomorrow.setUTCFullYear(tomorrow.getUTCFullYear() - 18);
    const representative = {
      givenName: 'A',
      familyName: 'B',
      birthDate: birthDate === 'tomorrow' ? dayOf(tomorrow) : birthDate,
    };
    const problem = problemOf(await put(await applicant(), { representative }));
    expect(problem.errors).toMatchObject([{ pointer: '#/representative/birthDate' }]);
  });

  test('takes a representative who is 18 today, and at most ten documents', async () => {
    const dealer = await applicant();
    const birthday = new Date(world.stack.platform.now());
    birthday.setUTCFullYear(birthday.getUTCFullYear() - 18);
    await done(
      put(dealer, { representative: { givenName: 'A', familyName: 'B', birthDate: dayOf(birthday) } }),
    );
    const mediaId = newId('media');
    const documents = Array.from({ length: 11 }, () => ({ kind: 'OTHER', mediaId }));
    expect(problemOf(await put(dealer, { documents })).errors).toMatchObject([{ pointer: '#/documents' }]);
  });

  test('is the owner’s alone, and of a working dealer', async () => {
    const manager = await market.user();
    const dealer = await market.dealer({ members: [{ userId: manager.id, role: 'manager' }] });
    for (const [by, code] of [
      [manager, 'dealer_role_required'],
      [await market.user(), 'ownership_required'],
      [await market.staff('installation_admin'), 'ownership_required'],
    ] as const) {
      expect(problemOf(await run('put', dealer, {}, by))).toMatchObject({ code });
      expect(problemOf(await run('submit', dealer, {}, by))).toMatchObject({ code });
    }
    await change(dealer.id, { state: 'suspended' });
    expect(problemOf(await put(dealer, {}))).toMatchObject({ code: 'dealer_not_active' });
    expect(problemOf(await submit(dealer))).toMatchObject({ code: 'dealer_not_active' });
  });
});

describe('handing in', () => {
  test('demands everything that the law wants to know of a trader, and says where it is missing', async () => {
    const dealer = await market.dealer({ state: 'onboarding' });
    const pointers = async () => problemOf(await submit(dealer)).errors.map(({ pointer }) => pointer);
    const everything = [
      '#/address',
      '#/contactPhone',
      '#/verification/registrationNumber',
      '#/verification/representative',
      '#/verification/documents',
      '#/verification/documents',
      '#/verification/selfCertification',
    ];
    expect(await pointers()).toEqual(everything);
    const { documents, ...rest } = await complete(dealer);
    await done(put(dealer, { ...rest, registrationNumber: null, documents: documents.slice(0, 1) }));
    expect(problemOf(await submit(dealer))).toMatchObject({ code: 'verification_incomplete', status: 422 });
    expect(await pointers()).toEqual(['#/address', '#/contactPhone', '#/verification/documents']);
    await change(dealer.id, { address, contactPhone: '+4930123456' });
    await done(put(dealer, { ...rest, documents }));
    await scoped(MediaModel, market.installation.id).findOneAndUpdate(
      { _id: documents[1]?.mediaId ?? '' },
      { $set: { state: 'blocked' } },
    );
    expect(await pointers()).toEqual(['#/verification/documents/1/mediaId']);
  });

  test('locks the draft until it is decided', async () => {
    const dealer = await submitted();
    expect((await stored(dealer.id))?.queuedAt.getTime()).toBeLessThanOrEqual(world.stack.platform.now());
    expect(problemOf(await put(dealer, {}))).toMatchObject({ code: 'verification_locked', status: 409 });
    expect(problemOf(await submit(dealer))).toMatchObject({
      code: 'invalid_transition',
      allowedFrom: { state: 'submitted', allowed: ['approved', 'rejected'] },
    });
  });

  test('by fifty at once happens once', async () => {
    const dealer = await applicant();
    await done(put(dealer, await complete(dealer)));
    const results = await Promise.all(Array.from({ length: 50 }, () => submit(dealer)));
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
    expect((await stored(dealer.id))?.verification).toMatchObject({ state: 'submitted', version: 1 });
  }, 60_000);

  test('answers again under its key', async () => {
    const dealer = await applicant();
    await done(put(dealer, await complete(dealer)));
    const input = { idempotencyKey: unique('submit') };
    const first = await done(submit(dealer, input));
    expect(await done(submit(dealer, input))).toEqual(first);
  });
});

describe('an approval', () => {
  test('makes the dealer active, keeps what was approved for 24 months, and is told and remembered', async () => {
    const dealer = await submitted();
    const from = world.stack.platform.now();
    expect(await done(approve(dealer, { note: 'Welcome.' }))).toMatchObject({
      state: 'ACTIVE',
      verification: { state: 'APPROVED' },
    });
    const { approval, verification } = (await stored(dealer.id)) ?? {};
    expect(verification).toMatchObject({ state: 'approved', version: 1, note: 'Welcome.' });
    expect(approval).toMatchObject({
      version: 1,
      registrationNumber: 'HRB 12345 B',
      approvedBy: moderator.id,
    });
    const months = ((approval?.expiresAt.getTime() ?? 0) - from) / day / 30.4;
    expect(Math.round(months)).toBe(24);
    expect((await mailsTo(dealer.owner.email)).map(({ template }) => template)).toEqual(['dealerApproved']);
    const lines = await scoped(AuditEventModel, market.installation.id).find(
      { 'target.id': dealer.id, result: 'allowed' },
      { sort: { at: 1 } },
    );
    expect(lines.map(({ action, actor }) => [action, actor.id])).toEqual([
      ['submitDealerVerification', dealer.owner.id],
      ['approveDealer', moderator.id],
    ]);
    const listing = await dealer.listing({ published: true });
    expect(listing.slug).not.toBeNull();
  });

  test('lasts no longer than the document that runs out first', async () => {
    const dealer = await applicant();
    const input = await complete(dealer);
    const last = new Date(world.stack.platform.now() + 90 * day);
    const [first, ...others] = input.documents;
    await done(put(dealer, { ...input, documents: [{ ...first, expiresOn: dayOf(last) }, ...others] }));
    await done(submit(dealer));
    await done(approve(dealer));
    expect((await stored(dealer.id))?.approval?.expiresAt.toISOString()).toBe(
      `${dayOf(new Date(last.getTime() + day))}T00:00:00.000Z`,
    );
  });

  test('lets go of the papers of the one before, unless it stands on them, too', async () => {
    const dealer = await submitted();
    const [kept, dropped] = (await stored(dealer.id))?.verification.documents ?? [];
    await done(approve(dealer));
    const content = await complete(dealer);
    const documents = [{ kind: 'ID', mediaId: kept?.mediaId }, content.documents[1]];
    await done(put(dealer, { ...content, documents }));
    const usageOf = async (_id = '') =>
      (await scoped(MediaModel, market.installation.id).findOne({ _id }))?.usage;
    const use = [{ type: 'verification', id: dealer.id }];
    expect([await usageOf(kept?.mediaId), await usageOf(dropped?.mediaId)]).toEqual([use, use]);
    await done(submit(dealer));
    await done(approve(dealer));
    expect([await usageOf(kept?.mediaId), await usageOf(dropped?.mediaId)]).toEqual([use, []]);
    expect(await usageOf(content.documents[1]?.mediaId)).toEqual(use);
  });

  test('is nobody’s who acts for the dealer, or who handed the papers in', async () => {
    const insider = await market.staff('installation_admin');
    const dealer = await market.dealer({
      state: 'onboarding',
      address,
      contactPhone: '+4930123456',
      members: [{ userId: insider.id, role: 'owner' }],
    });
    await done(put(dealer, await complete(dealer)));
    await done(run('submit', dealer, {}, insider));
    expect(problemOf(await approve(dealer, {}, insider))).toMatchObject({ code: 'four_eyes', status: 403 });
    const { members = [] } = (await stored(dealer.id)) ?? {};
    await change(dealer.id, { members: members.filter(({ userId }) => userId !== insider.id) });
    world.stack.platform.forgetPrincipal({ userId: insider.id });
    expect(problemOf(await approve(dealer, {}, insider))).toMatchObject({ code: 'four_eyes' });
    await done(approve(dealer));
  });

  test('stays in force while a new version is written, looked at and refused', async () => {
    const dealer = await submitted();
    await done(approve(dealer));
    const input = { ...(await complete(dealer)), registrationNumber: 'HRB 2' };
    expect(await done(put(dealer, input))).toMatchObject({
      state: 'DRAFT',
      version: 2,
      registrationNumber: 'HRB 2',
      approval: { version: 1 },
    });
    expect(await stored(dealer.id)).toMatchObject({ state: 'active', queuedAt: neverQueued });
    await done(submit(dealer));
    expect(await done(reject(dealer))).toMatchObject({ state: 'ACTIVE' });
    expect(await stored(dealer.id)).toMatchObject({
      state: 'active',
      verification: { state: 'rejected', version: 2 },
      approval: { version: 1, registrationNumber: 'HRB 12345 B' },
    });
    await done(submit(dealer));
    await done(approve(dealer));
    expect(await stored(dealer.id)).toMatchObject({
      state: 'active',
      approval: { version: 3, registrationNumber: 'HRB 2' },
    });
  });

  test('is refused of what was not submitted, of another version, and of a closed dealer', async () => {
    const draft = await applicant();
    expect(problemOf(await approve(draft))).toMatchObject({
      code: 'invalid_transition',
      allowedFrom: { state: 'not_started', allowed: ['draft'] },
    });
    const dealer = await submitted();
    const { version = 0 } = (await stored(dealer.id)) ?? {};
    for (const decide of [approve, reject])
      expect(problemOf(await decide(dealer, { expectedVersion: version - 1 }))).toMatchObject({
        code: 'precondition_failed',
        status: 412,
      });
    await change(dealer.id, { state: 'closing' });
    for (const decide of [approve, reject])
      expect(problemOf(await decide(dealer))).toMatchObject({ code: 'invalid_transition' });
    for (const decide of [approve, reject])
      expect(problemOf(await decide({ id: newId('dealer') }))).toMatchObject({
        code: 'not_found',
        status: 404,
      });
  });

  test('ends by the job when its time is over, once, and a new version goes on', async () => {
    const [dealer, writing, young] = [await submitted(), await submitted(), await submitted()];
    for (const one of [dealer, writing, young]) await done(approve(one));
    await done(put(writing, await complete(writing)));
    const over = new Date(world.stack.platform.now() - 1);
    for (const { id } of [dealer, writing]) await change(id, { 'approval.expiresAt': over });
    await world.stack.runJob(dealerVerificationExpiryJob.name);
    await world.stack.runJob(dealerVerificationExpiryJob.name);
    expect(await stored(dealer.id)).toMatchObject({
      state: 'active',
      approval: null,
      verification: { state: 'expired', version: 1 },
    });
    expect(await stored(writing.id)).toMatchObject({
      approval: null,
      verification: { state: 'draft', version: 2 },
    });
    expect(await stored(young.id)).toMatchObject({ approval: { version: 1 } });
    const lines = await scoped(AuditEventModel, market.installation.id).count({
      action: 'dealerVerificationExpired',
      'target.id': { $in: [dealer.id, writing.id, young.id] },
    });
    expect(lines).toBe(2);
    expect((await mailsTo(dealer.owner.email)).map(({ template }) => template)).toEqual([
      'dealerApproved',
      'dealerVerificationExpired',
    ]);
    expect(await done(put(dealer, await complete(dealer)))).toMatchObject({ state: 'DRAFT', version: 2 });
  });
});

describe('a rejection', () => {
  test('states its reasons, keeps the dealer out, and may be answered by a better version', async () => {
    const dealer = await submitted();
    expect(
      await done(reject(dealer, { note: 'Page 2 is dark.', reasonCodes: ['OTHER', 'OTHER'] })),
    ).toMatchObject({
      state: 'ONBOARDING',
      verification: { state: 'REJECTED', reasonCodes: ['OTHER'], note: 'Page 2 is dark.', final: false },
    });
    expect((await mailsTo(dealer.owner.email)).map(({ template }) => template)).toEqual(['dealerRejected']);
    expect(await done(put(dealer, await complete(dealer)))).toMatchObject({
      state: 'DRAFT',
      version: 2,
      reasonCodes: ['OTHER'],
    });
    expect(await done(submit(dealer))).toMatchObject({ state: 'SUBMITTED', reasonCodes: [], note: null });
  });

  test('needs a reason, and a note that can be read', async () => {
    const dealer = await submitted();
    expect(problemOf(await reject(dealer, { reasonCodes: [] })).errors).toMatchObject([
      { pointer: '#/reasonCodes' },
    ]);
    for (const note of ['x'.repeat(2001), '\u0000', '<script>'])
      for (const decide of [approve, reject])
        expect(problemOf(await decide(dealer, { note })).errors).toMatchObject([{ pointer: '#/note' }]);
    expect((await stored(dealer.id))?.verification.state).toBe('submitted');
  });

  test('that is final is the end of it', async () => {
    const dealer = await submitted();
    await done(reject(dealer, { final: true }));
    expect(problemOf(await put(dealer, {}))).toMatchObject({ code: 'verification_locked' });
    expect(problemOf(await submit(dealer))).toMatchObject({
      code: 'invalid_transition',
      allowedFrom: { state: 'rejected', allowed: [] },
    });
  });
});

test('of fifty decisions at once one is made, with one line and one mail', async () => {
  const dealer = await submitted();
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) => (index % 2 ? approve(dealer) : reject(dealer))),
  );
  expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
  for (const result of results.filter(({ errors }) => errors))
    expect(['invalid_transition', 'concurrent_update']).toContain(problemOf(result).code);
  const lines = await scoped(AuditEventModel, market.installation.id).count({
    'target.id': dealer.id,
    action: { $in: ['approveDealer', 'rejectDealer'] },
    result: 'allowed',
  });
  expect(lines).toBe(1);
  expect(await mailsTo(dealer.owner.email)).toHaveLength(1);
  const { state, verification, approval } = (await stored(dealer.id)) as DealerRecord;
  expect([state, verification.state, approval === null]).toEqual(
    state === 'active' ? ['active', 'approved', false] : ['onboarding', 'rejected', true],
  );
}, 60_000);

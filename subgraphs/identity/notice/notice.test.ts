import { commandsOf } from '../../../test/support/commandsOf.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededUser, unique } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { ListingModel } from '../listing/model.ts';
import { ReportModel } from '../report/model.ts';
import { NoticeModel } from './model.ts';

const world = product();
const { market } = world;
let moderator: SeededUser;

beforeAll(async () => {
  moderator = await market.staff('moderator');
});

const run = (source: string, input: object, as: string | null = null) =>
  world.stack.execute(source, { input }, { as, installation: market.installation });
const address = () => `${unique('neighbour')}@example.test`;
const give = (more: object = {}) =>
  run('mutation ($input: CreateNoticeInput!) { createNotice(input: $input) { accepted } }', {
    target: { type: 'LISTING', id: newId('listing') },
    reason: 'ILLEGAL',
    text: 'This is stolen.',
    email: address(),
    goodFaith: true,
    ...more,
  });
const confirm = (token: string) =>
  run(
    'mutation ($input: ConfirmEmailVerificationInput!) { confirmEmailVerification(input: $input) { purpose } }',
    { token },
  );
const tokenFor = async (email: string): Promise<string> => {
  const mail = (await world.stack.mailsTo(email)).findLast(({ kind }) => kind === 'confirmNotice');
  return new URL(mail?.link ?? '').hash.replace('#token=', '');
};
const reportsAbout = async (id: string) => {
  const members = 'id source ownerId text url reporter { userId name } evidence state target { type id }';
  const source = `query ($id: ID!) { adminReports(targetId: $id) { nodes { ${members} } } }`;
  const call = { as: moderator.token, installation: market.installation };
  return (await world.stack.execute(source, { id }, call)).data?.adminReports.nodes;
};

test('a notice is seen by the staff once its address is confirmed, and its author is told of receipt and outcome', async () => {
  const anna = await market.user();
  const { id } = await anna.listing({ published: true, title: 'NSU Ro 80' });
  const email = address();
  const url = 'https://shop.example/listings/nsu#price';
  expect(
    (await give({ target: { type: 'LISTING', id }, email, url, name: 'Zoë', locale: 'de' })).data,
  ).toEqual({
    createNotice: { accepted: true },
  });
  expect(await reportsAbout(id)).toEqual([]);
  const token = await tokenFor(email);
  expect((await confirm(token)).data?.confirmEmailVerification).toEqual({ purpose: 'NOTICE' });
  const [report] = await reportsAbout(id);
  expect(report).toMatchObject({
    source: 'NOTICE',
    ownerId: anna.id,
    url,
    reporter: { userId: null, name: 'Zoë' },
    evidence: { title: 'NSU Ro 80' },
  });
  const listing = await scoped(ListingModel, market.installation.id).findOne({ _id: id });
  expect(listing).toMatchObject({ openReports: 1, flags: ['reported'] });
  await world.stack.execute(
    'mutation ($input: ResolveReportInput!) { resolveReport(input: $input) { report { id } } }',
    { input: { reportId: report.id, outcome: 'DISMISSED', answer: 'He has shown the papers.' } },
    { as: moderator.token, installation: market.installation },
  );
  const mails = await world.stack.mailsTo(email);
  // Several are sent at a time.
  expect(mails.map(({ kind }) => kind).sort()).toEqual(['confirmNotice', 'noticeReceived', 'reportDecided']);
  for (const mail of mails) expect(mail.language).toBe('de');
  expect(mails.find(({ kind }) => kind === 'reportDecided')?.text).toContain('He has shown the papers.');
  expect(await world.stack.mailsTo(anna.email)).toEqual([]);
});

test('the answer and its cost say nothing about what there is', async () => {
  const dealer = await market.dealer();
  const { id } = await dealer.listing({ published: true });
  const cost = [];
  for (const target of [
    { type: 'LISTING', id },
    { type: 'LISTING', id: newId('listing') },
    { type: 'DEALER', id: dealer.slug },
    { type: 'USER', id: 'nobody' },
  ]) {
    const commands = await commandsOf(async () => {
      expect((await give({ target })).data).toEqual({ createNotice: { accepted: true } });
    });
    cost.push(JSON.stringify(commands));
  }
  expect(new Set(cost).size).toBe(1);
});

test('what is meant is found by the name in its address, and what does not exist is looked at as well', async () => {
  const dealer = await market.dealer();
  const { id, slug } = await dealer.listing({ published: true });
  for (const [target, found] of [
    [{ type: 'LISTING', id: slug }, id],
    [{ type: 'DEALER', id: dealer.slug }, dealer.id],
  ] as const) {
    const email = address();
    await give({ target, email });
    await confirm(await tokenFor(email));
    expect(await reportsAbout(found)).toMatchObject([{ target: { id: found }, ownerId: dealer.id }]);
  }
  const email = address();
  await give({ target: { type: 'MEDIA', id: 'picture-7' }, email });
  await confirm(await tokenFor(email));
  expect(await reportsAbout('picture-7')).toMatchObject([{ ownerId: null, evidence: null, state: 'OPEN' }]);
});

test('a link is good once, for seven days, however many follow it at once', async () => {
  const email = address();
  const target = { type: 'USER', id: (await market.user()).id };
  await give({ target, email });
  const token = await tokenFor(email);
  const results = await Promise.all(Array.from({ length: 20 }, () => confirm(token)));
  expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
  for (const result of results.filter(({ errors }) => errors))
    expect(problemOf(result)).toMatchObject({ code: 'token_consumed', status: 410 });
  expect(await reportsAbout(target.id)).toHaveLength(1);
  // The same address about the same thing again: taken, without a second report.
  await give({ target, email });
  expect((await confirm(await tokenFor(email))).errors).toBeUndefined();
  expect(await reportsAbout(target.id)).toHaveLength(1);
  await give({ target, email: 'late@example.test' });
  const late = await tokenFor('late@example.test');
  await scoped(NoticeModel, market.installation.id).findOneAndUpdate(
    { email: 'late@example.test' },
    { $set: { expiresAt: new Date(world.stack.platform.now() - 1) } },
  );
  expect(problemOf(await confirm(late))).toMatchObject({ code: 'not_found', status: 404 });
});

test('of another installation a link is worth nothing', async () => {
  const email = address();
  await give({ email });
  const elsewhere = await world.neighbour();
  const source =
    'mutation ($input: ConfirmEmailVerificationInput!) { confirmEmailVerification(input: $input) { purpose } }';
  const input = { token: await tokenFor(email) };
  const result = await world.stack.execute(source, { input }, { installation: elsewhere.installation });
  expect(problemOf(result)).toMatchObject({ code: 'not_found', status: 404 });
});

test.each([
  ['a message', { target: { type: 'MESSAGE', id: 'msg_1' } }, '#/target/type'],
  ['a decision', { target: { type: 'DECISION', id: 'dec_1' } }, '#/target/type'],
  ['an appeal', { reason: 'APPEAL' }, '#/reason'],
  ['an id without end', { target: { type: 'LISTING', id: 'x'.repeat(121) } }, '#/target/id'],
  ['no text', { text: '  ' }, '#/text'],
  ['a text without end', { text: 'x'.repeat(2001) }, '#/text'],
  ['an address that is none', { email: 'nobody' }, '#/email'],
  ['a page that is none', { url: 'javascript:alert(1)' }, '#/url'],
  ['a name that turns texts', { name: 'a\u202eb' }, '#/name'],
  ['bad faith', { goodFaith: false }, '#/goodFaith'],
])('a notice with %s is refused with the place', async (_, members, pointer) => {
  expect(problemOf(await give(members))).toMatchObject({
    code: 'validation_failed',
    status: 422,
    errors: [{ pointer }],
  });
});

test('whoever has an account in the end finds his notices in his export, and they go with the account', async () => {
  const email = address();
  await give({ email, target: { type: 'USER', id: (await market.user()).id } });
  await confirm(await tokenFor(email));
  const user = await market.user({ email });
  const call = { as: user.token, installation: market.installation };
  const leave = 'mutation { requestAccountDeletion(input: {}) { deletion { effectiveAt } } }';
  expect((await world.stack.execute(leave, {}, call)).errors).toBeUndefined();
  const notices = scoped(NoticeModel, market.installation.id);
  expect(await notices.count({ email })).toBe(1);
  world.stack.advance(31 * 24 * 3_600_000);
  await world.stack.runJob('identity.account-deletions');
  expect(await notices.count({ email })).toBe(0);
  // The report itself goes on.
  expect(await scoped(ReportModel, market.installation.id).count({ source: 'notice' })).toBeGreaterThan(0);
});

import { concurrently } from '../../../../test/support/concurrently.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { perFile, product } from '../../../../test/support/product.ts';
import { unique } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { newId } from '../../../platform/ids/newId.ts';
import type { CreateNoticeInput } from '../../identity.generated.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';
import { ReportModel } from '../report/model.ts';
import { NoticeModel } from './model.ts';

const { market, neighbour, stack } = product();

const moderator = perFile(() => market.staff('moderator'));

const address = () => `${unique('neighbour')}@example.test`;
const give = (members: Partial<Wire<CreateNoticeInput>> = {}) =>
  market.visitor.createNotice({
    target: { type: 'LISTING', id: newId('listing') },
    reason: 'ILLEGAL',
    text: 'This is stolen.',
    email: address(),
    goodFaith: true,
    ...members,
  });
const confirm = (token: string, { visitor } = market) => visitor.confirmEmailVerification({ token });
/** The token of the latest mail with a confirmation link. */
const tokenFor = async (email: string): Promise<string> => {
  const mail = (await stack.mailsTo(email)).findLast(({ kind }) => kind === 'confirmNotice');
  return new URL(mail?.link ?? '').hash.replace('#token=', '');
};
/** Gives a notice about a target and confirms its address. */
const report = async (target: Wire<CreateNoticeInput>['target'], email = address()) => {
  await give({ target, email });
  return confirm(await tokenFor(email));
};
const reportsAbout = async (targetId: string) => (await moderator.adminReports({ targetId })).nodes;

test('a notice is visible to the staff after its confirmation, and its author receives mails of receipt and outcome', async () => {
  const anna = await market.user();
  const { id } = await anna.listing({ published: true, title: 'NSU Ro 80' });
  const email = address();
  const url = 'https://shop.example/listings/nsu#price';
  const members = { email, url, name: 'Zoë', locale: 'de' };
  expect(await give({ target: { type: 'LISTING', id }, ...members })).toEqual({ accepted: true });
  expect(await reportsAbout(id)).toEqual([]);
  expect(await confirm(await tokenFor(email))).toEqual({ purpose: 'NOTICE' });
  const [shown] = await reportsAbout(id);
  expect(shown).toMatchObject({
    source: 'NOTICE',
    ownerId: anna.id,
    url,
    reporter: { userId: null, name: 'Zoë' },
    evidence: { title: 'NSU Ro 80' },
  });
  const listing = await market.records(ListingModel).findOne({ _id: id });
  expect(listing).toMatchObject({ openReports: 1, flags: ['reported'] });
  const answer = 'The seller has shown the papers.';
  await moderator.resolveReport({ reportId: shown?.id ?? '', outcome: 'DISMISSED', answer });
  const mails = await stack.mailsTo(email);
  // Several mails are sent concurrently.
  expect(mails.map(({ kind }) => kind).sort()).toEqual(['confirmNotice', 'noticeReceived', 'reportDecided']);
  for (const mail of mails) expect(mail.language).toBe('de');
  expect(mails.find(({ kind }) => kind === 'reportDecided')?.text).toContain(answer);
  expect(await stack.mailsTo(anna.email)).toEqual([]);
});

test('the answer to a notice and its cost do not reveal whether the target exists', async () => {
  const dealer = await market.dealer();
  const targets = [
    { type: 'LISTING', id: (await dealer.listing({ published: true })).id },
    { type: 'LISTING', id: newId('listing') },
    { type: 'DEALER', id: dealer.slug },
    { type: 'USER', id: 'nobody' },
  ] as const;
  const costs = new Set<string>();
  for (const target of targets) {
    const commands = await commandsOf(async () => expect(await give({ target })).toEqual({ accepted: true }));
    costs.add(JSON.stringify(commands));
  }
  expect(costs.size).toBe(1);
});

test('the target of a notice is found by its slug, and a notice about an unknown target is stored', async () => {
  const dealer = await market.dealer();
  const { id, slug } = await dealer.listing({ published: true });
  await report({ type: 'LISTING', id: slug ?? '' });
  await report({ type: 'DEALER', id: dealer.slug });
  for (const found of [id, dealer.id])
    expect(await reportsAbout(found)).toMatchObject([{ target: { targetId: found }, ownerId: dealer.id }]);
  await report({ type: 'MEDIA', id: 'picture-7' });
  expect(await reportsAbout('picture-7')).toMatchObject([{ ownerId: null, evidence: null, state: 'OPEN' }]);
});

test('a link confirms a notice once, and a second notice about the same target creates no second report', async () => {
  const email = address();
  const target = { type: 'USER', id: (await market.user()).id } as const;
  await give({ target, email });
  const token = await tokenFor(email);
  expect(await concurrently(20, () => confirm(token))).toBeRefusedTimes(19, 410, 'token_consumed');
  expect(await report(target, email)).not.toBeRefused();
  expect(await reportsAbout(target.id)).toHaveLength(1);
});

test('the link of a notice is refused after its expiry and in another installation', async () => {
  const email = address();
  await give({ email });
  const token = await tokenFor(email);
  expect(await confirm(token, await neighbour())).toBeRefused(404, 'not_found');
  const expiresAt = new Date(stack.platform.now() - 1);
  await market.records(NoticeModel).findOneAndUpdate({ email }, { $set: { expiresAt } });
  expect(await confirm(token)).toBeRefused(404, 'not_found');
});

test.each<[string, object, string]>([
  ['a message as its target', { target: { type: 'MESSAGE', id: 'msg_1' } }, '#/target/type'],
  ['a decision as its target', { target: { type: 'DECISION', id: 'dec_1' } }, '#/target/type'],
  ['an appeal as its reason', { reason: 'APPEAL' }, '#/reason'],
  ['an id of 121 characters', { target: { type: 'LISTING', id: 'x'.repeat(121) } }, '#/target/id'],
  ['no text', { text: '  ' }, '#/text'],
  ['a text of 2,001 characters', { text: 'x'.repeat(2001) }, '#/text'],
  ['an invalid address', { email: 'nobody' }, '#/email'],
  ['a URL of another scheme', { url: 'javascript:alert(1)' }, '#/url'],
  ['a direction character in the name', { name: 'a\u202eb' }, '#/name'],
  ['no good faith', { goodFaith: false }, '#/goodFaith'],
])('a notice with %s is refused', async (_, members, pointer) => {
  expect(await give(members)).toBeInvalid(pointer);
});

test('the erasure of an account deletes notices with its address and keeps their reports', async () => {
  const email = address();
  const { id } = await market.user();
  await report({ type: 'USER', id }, email);
  const user = await market.user({ email });
  expect(await user.requestAccountDeletion({})).not.toBeRefused();
  const notices = market.records(NoticeModel);
  expect(await notices.count({ email })).toBe(1);
  stack.advance(31 * 24 * 3_600_000);
  await stack.runJob('identity.account-deletions');
  expect(await notices.count({ email })).toBe(0);
  expect(await market.records(ReportModel).count({ 'target.id': id, source: 'notice' })).toBe(1);
});

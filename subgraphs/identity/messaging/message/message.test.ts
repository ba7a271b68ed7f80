import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { concurrently } from '../../../../test/support/concurrently.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { storeMedia } from '../../../../test/support/people/storeMedia.ts';
import { perFile, perTest, product } from '../../../../test/support/product.ts';
import type { Caller, SeededUser } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { newId } from '../../../platform/ids/newId.ts';
import type { SendMessageInput } from '../../identity.generated.ts';
import { MediaModel } from '../../media/model.ts';
import { MessageModel } from './model.ts';

const { market, stack } = product();
let seller: SeededUser;
let moderator: SeededUser;
let conversationId: string;

const garage = perFile(() => market.dealer());
beforeAll(async () => {
  seller = garage.owner;
  moderator = await market.staff('moderator');
});
const buyer = perTest(() => market.user());
beforeEach(async () => {
  conversationId = await start();
});

const start = async () => {
  const { id: listingId } = await garage.listing({ published: true });
  const { conversation } = await buyer.startConversation({ listingId, text: 'First.' });
  return conversation.id;
};
const send = (by: Caller, members: Partial<Wire<SendMessageInput>> = { text: 'Hello.' }) =>
  by.sendMessage({ conversationId, ...members });
const sendFrom = async (by: Caller, members?: Partial<Wire<SendMessageInput>>) =>
  (await send(by, members)).message;
const mark = (by: Caller, seq: number) => by.setReadMarker({ conversationId, seq });
const list = (by: Caller, page: Parameters<Caller['messages']>[0] = {}) =>
  by.messages({ conversationId, ...page });
const seqsOf = async (answer: ReturnType<typeof list>) => (await answer).nodes.map(({ seq }) => seq);
const show = (by: Caller) => by.conversation({ conversationId });
const retract = (messageId: string, by: Caller, of = conversationId) =>
  by.retractMessage({ conversationId: of, messageId });
const messages = () => market.records(MessageModel);
/** Sets the age of a message to 16 minutes. */
const age = (_id: string) => {
  const createdAt = new Date(stack.platform.now() - 16 * 60_000);
  return messages().findOneAndUpdate({ _id }, { $set: { createdAt } });
};

test('concurrent messages of both sides are numbered without gaps and counted as unread', async () => {
  const seqs = (await concurrently(30, (index) => sendFrom(index % 2 ? buyer : seller))).map(
    ({ seq }) => seq,
  );
  expect(seqs.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 2));
  expect(await show(buyer)).toMatchObject({ unreadCount: 15 });
  expect(await show(seller)).toMatchObject({ unreadCount: 16 });
});

test('concurrent messages of an author with the same clientMessageId are stored once', async () => {
  const once = { text: 'Once.', clientMessageId: randomUUID() };
  const answers = await concurrently(10, () => send(buyer, once));
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  expect(new Set(answers.map(({ message }) => message.id)).size).toBe(1);
  expect(await send(seller, once)).toMatchObject({ created: true });
  expect(await seqsOf(list(buyer))).toEqual([3, 2, 1]);
});

test('a repeated message is returned even after the conversation is closed', async () => {
  const once = { text: 'Once.', clientMessageId: randomUUID() };
  const { id } = await sendFrom(buyer, once);
  await seller.updateConversation({ conversationId, state: 'CLOSED' });
  expect(await send(buyer, once)).toMatchObject({ created: false, message: { id } });
  expect(await send(buyer)).toBeRefused(409, 'conversation_closed');
});

test('sending a message reads the conversation once and writes the conversation and the message', async () => {
  const message = { conversationId, text: 'Once.', clientMessageId: randomUUID() };
  const commands = await commandsOf(() => buyer.sendMessage(message, 'message { id seq text }'));
  expect(commands.filter((command) => /(?:conversations|messages)$/.test(command))).toEqual([
    'find conversations',
    'findAndModify conversations',
    'insert messages',
  ]);
});

test.each<[string, Partial<Wire<SendMessageInput>>, string]>([
  ['an empty text', { text: '' }, '#/text'],
  ['a NUL', { text: 'nul \u0000' }, '#/text'],
  ['a lone surrogate', { text: 'half \ud83d' }, '#/text'],
  ['4,001 characters', { text: '😀'.repeat(4001) }, '#/text'],
  [
    'six attachments',
    { text: 'x', attachments: Array.from({ length: 6 }, () => newId('media')) },
    '#/attachments',
  ],
  ['an invalid clientMessageId', { text: 'x', clientMessageId: 'mine' }, '#/clientMessageId'],
])('a message with %s is refused', async (_, members, pointer) => {
  expect(await send(buyer, members)).toBeInvalid(pointer);
  expect(await seqsOf(list(buyer))).toEqual([1]);
});

test('a message of 4,000 characters is stored unchanged', async () => {
  const text = ` ${'😀'.repeat(3998)}\n`;
  expect(await sendFrom(buyer, { text })).toMatchObject({ text });
});

test('messages are listed in descending order, and after a number in ascending order', async () => {
  for (let count = 0; count < 5; count += 1) await send(seller);
  expect(await seqsOf(list(buyer))).toEqual([6, 5, 4, 3, 2, 1]);
  expect(await seqsOf(list(buyer, { sinceSeq: 4 }))).toEqual([5, 6]);
  const page = { sinceSeq: 1, first: 3 };
  const { nodes, pageInfo } = await list(buyer, page);
  expect(nodes.map(({ seq }) => seq)).toEqual([2, 3, 4]);
  expect(await seqsOf(list(buyer, { ...page, after: pageInfo.endCursor ?? null }))).toEqual([5, 6]);
});

test('the read marker moves forward only and not beyond the last message', async () => {
  for (let count = 0; count < 3; count += 1) await send(seller);
  expect((await mark(buyer, 3)).conversation).toMatchObject({ unreadCount: 1 });
  expect((await mark(buyer, 2)).conversation).toMatchObject({ unreadCount: 1 });
  expect(await mark(buyer, 5)).toBeInvalid('#/seq');
  expect((await mark(buyer, 4)).conversation).toMatchObject({ unreadCount: 0 });
});

test('the unread count is correct after concurrent messages and read markers', async () => {
  const act = fc.record({
    isBuyer: fc.boolean(),
    reads: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
  });
  const property = fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 16 }), async (acts) => {
    const { lastSeq } = await show(buyer);
    const run = ({ isBuyer, reads }: (typeof acts)[number]) => {
      const who = isBuyer ? buyer : seller;
      return reads === null ? send(who) : mark(who, Math.floor(reads * lastSeq));
    };
    await Promise.all(acts.map(run));
    const sent = await messages().find({ conversationId });
    const { participants } = await show(seller);
    for (const [who, other] of [
      [buyer, 'seller'],
      [seller, 'buyer'],
    ] as const) {
      const marker = participants.find(({ userId }) => userId === who.id)?.lastReadSeq ?? 0;
      const unread = sent.filter(({ side, seq }) => side === other && seq > marker);
      expect(await show(who)).toMatchObject({ unreadCount: unread.length });
    }
  });
  await fc.assert(property, { numRuns: 8 });
});

test('only the author can retract a message, within 15 minutes', async () => {
  const { id } = await sendFrom(buyer, { text: 'Too much.' });
  expect(await retract(id, seller)).toBeRefused(403, 'ownership_required');
  for (let times = 0; times < 2; times += 1) expect(await retract(id, buyer)).not.toBeRefused();
  const { nodes } = await list(seller);
  expect(nodes[0]).toMatchObject({ id, seq: 2, state: 'RETRACTED', text: null, attachments: [] });
  expect(await show(buyer)).toMatchObject({ lastMessagePreview: null });
  const late = await sendFrom(buyer);
  await age(late.id);
  expect(await retract(late.id, buyer)).toBeRefused(409, 'retract_window_over');
});

test('a moderator can remove a message at any time', async () => {
  const { id } = await sendFrom(buyer, { text: 'Nasty.' });
  await age(id);
  expect(await retract(id, moderator)).not.toBeRefused();
  expect((await list(buyer)).nodes[0]).toMatchObject({ state: 'REMOVED', text: null });
});

test('a message is not found in another conversation', async () => {
  const { id } = await sendFrom(buyer);
  expect(await retract(id, buyer, await start())).toBeRefused(404, 'not_found');
});

test('a report keeps a copy of a message that is retracted afterwards', async () => {
  const { id } = await sendFrom(buyer, { text: 'You will be sorry.' });
  const report = (by: Caller) =>
    by.createReport({ target: { type: 'MESSAGE', id }, reason: 'HARASSMENT', text: 'See.' });
  expect(await report(await market.user())).toBeRefused(404, 'not_found');
  expect(await report(seller)).not.toBeRefused();
  await retract(id, buyer);
  const { nodes } = await moderator.adminReports({ targetId: id });
  expect(JSON.stringify(nodes)).toContain('You will be sorry.');
});

describe('an attachment', () => {
  const store = (type: 'user' | 'dealer', id: string, changes: object = {}) =>
    storeMedia(market.installation.id, { type, id }, { purpose: 'message', ...changes });
  const download = async (id: string, by: Caller) =>
    (await by.rest('GET', `/api/v1/media/${id}/download`)).status;

  test('an attachment is in use, and readable by the participants, until its message is retracted', async () => {
    const mediaId = await store('user', buyer.id);
    expect(await download(mediaId, seller)).toBe(403);
    const message = await sendFrom(buyer, { attachments: [mediaId] });
    const attachments = [{ mediaId, contentType: 'image/jpeg' }];
    expect(message).toMatchObject({ text: null, attachments });
    expect(await download(mediaId, seller)).toBe(200);
    expect(await download(mediaId, await market.user())).toBe(403);
    const stored = () => market.records(MediaModel).findOne({ _id: mediaId });
    expect(await stored()).toMatchObject({ usage: [{ type: 'message', id: message.id }] });
    await retract(message.id, buyer);
    expect(await stored()).toMatchObject({ usage: [] });
    expect(await download(mediaId, seller)).toBe(403);
  });

  test.each([
    ['of another user', () => store('user', seller.id)],
    ['of the other side', () => store('dealer', garage.id)],
    ['with another purpose', () => store('user', buyer.id, { purpose: 'listing' })],
    ['that is not ready', () => store('user', buyer.id, { state: 'processing' })],
  ])('%s is refused', async (_, storeFile) => {
    const answer = await send(buyer, { text: 'See.', attachments: [await storeFile()] });
    expect(answer).toBeInvalid('#/attachments/0');
  });

  test('an attachment of a dealer can be sent by its members', async () => {
    const attachments = [await store('dealer', garage.id)];
    expect(await send(seller, { attachments })).not.toBeRefused();
  });
});

test('unread messages are mailed once, without their text, unless the conversation is muted', async () => {
  const mails = async () =>
    (await stack.mailsTo(buyer.email)).filter(({ kind }) => kind === 'messageReceived');
  for (let count = 0; count < 3; count += 1) await send(seller, { text: 'Private words.' });
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.text).toContain(`/conversations/${conversationId}`);
  expect(mail?.text).not.toContain('Private words.');
  await mark(buyer, 4);
  await buyer.updateConversation({ conversationId, muted: true });
  await send(seller);
  expect(await mails()).toHaveLength(1);
});

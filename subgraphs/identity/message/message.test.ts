import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { changesHeard } from '../../../test/support/changesHeard.ts';
import { commandsOf } from '../../../test/support/commandsOf.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededDealer, type SeededUser } from '../../../test/support/seed.ts';
import { storeMedia } from '../../../test/support/storeMedia.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { MediaModel } from '../media/model.ts';
import { MessageModel } from './model.ts';

const world = product();
const { market } = world;
let garage: SeededDealer;
let moderator: SeededUser;
let buyer: SeededUser;
let thread: { id: string; path: string };

beforeAll(async () => {
  garage = await market.dealer();
  moderator = await market.staff('moderator');
});
beforeEach(async () => {
  buyer = await market.user();
  const { id: listingId } = await garage.listing({ published: true });
  const { body } = await call('POST', '/api/v1/conversations', buyer, { listingId, text: 'First.' });
  thread = { id: body.id, path: `/api/v1/conversations/${body.id}` };
});

const call = (method: string, route: string, { token }: SeededUser, body?: object) =>
  world.rest(method, route, { token, ...(body ? { body } : {}) });
const send = (as: SeededUser, body: object = { text: 'Hello.' }) =>
  call('POST', `${thread.path}/messages`, as, body);
const read = (as: SeededUser, seq: number) => call('PUT', `${thread.path}/read-marker`, as, { seq });
const list = async (as: SeededUser, query = '') =>
  (await call('GET', `${thread.path}/messages${query}`, as)).body;
const seqsOf = ({ data }: { data: { seq: number }[] }) => data.map(({ seq }) => seq);
const retract = (messageId: string, as: SeededUser) =>
  call('DELETE', `${thread.path}/messages/${messageId}`, as);
/** Makes a message 16 minutes old. */
const age = (_id: string) =>
  scoped(MessageModel, market.installation.id).findOneAndUpdate(
    { _id },
    { $set: { createdAt: new Date(world.stack.platform.now() - 16 * 60_000) } },
  );
const unreadOf = async (as: SeededUser): Promise<number> =>
  (await call('GET', thread.path, as)).body.unreadCount;

describe('sending', () => {
  test('50 messages at once of both sides have 50 numbers without gaps', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send(index % 2 ? buyer : garage.owner)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(answers.map(({ body }) => body.seq).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 2),
    );
    expect(await unreadOf(buyer)).toBe(25);
    expect(await unreadOf(garage.owner)).toBe(26);
  });

  test('a message that is sent again under its clientMessageId is the one that was there', async () => {
    const clientMessageId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(buyer, { text: 'Once.', clientMessageId })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    // Of somebody else it is another message.
    expect((await send(garage.owner, { text: 'Mine.', clientMessageId })).status).toBe(201);
    expect(seqsOf(await list(buyer))).toEqual([3, 2, 1]);
  });

  test('what was taken once is not refused when it is sent again, though the conversation is closed by now', async () => {
    const body = { text: 'Once.', clientMessageId: randomUUID() };
    const { id } = (await send(buyer, body)).body;
    await call('PATCH', thread.path, garage.owner, { state: 'closed' });
    expect(await send(buyer, body)).toMatchObject({ status: 200, body: { id } });
    expect(await send(buyer)).toMatchObject({ status: 409, body: { code: 'conversation_closed' } });
  });

  test('reads the conversation once, and writes it and the message', async () => {
    const commands = await commandsOf(() => send(buyer, { text: 'Once.', clientMessageId: randomUUID() }));
    expect(commands.filter((command) => /(?:conversations|messages)$/.test(command))).toEqual([
      'find conversations',
      'findAndModify conversations',
      'insert messages',
    ]);
  });

  test.each([
    [{ text: '' }, '#/text'],
    [{ text: 'nul \u0000' }, '#/text'],
    [{ text: 'half \ud83d' }, '#/text'],
    [{ text: '😀'.repeat(4001) }, '#/text'],
    [{ text: 'x', attachments: Array.from({ length: 6 }, () => newId('media')) }, '#/attachments'],
    [{ text: 'x', clientMessageId: 'mine' }, '#/clientMessageId'],
  ])('%j is refused, and says where', async (body, pointer) => {
    expect(await send(buyer, body)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
    expect(seqsOf(await list(buyer))).toEqual([1]);
  });

  test('4,000 characters are taken as they are', async () => {
    const text = ` ${'😀'.repeat(3998)}\n`;
    expect((await send(buyer, { text })).body.text).toBe(text);
  });
});

describe('reading', () => {
  test('the newest come first, and whoever catches up gets what is behind his number in order', async () => {
    for (let count = 0; count < 5; count += 1) await send(garage.owner);
    expect(seqsOf(await list(buyer))).toEqual([6, 5, 4, 3, 2, 1]);
    expect(seqsOf(await list(buyer, '?after=4'))).toEqual([5, 6]);
    const first = await list(buyer, '?after=1&limit=3');
    const second = await list(buyer, `?after=1&limit=3&cursor=${first.page.nextCursor}`);
    expect([...seqsOf(first), ...seqsOf(second)]).toEqual([2, 3, 4, 5, 6]);
  });

  test('the marker only moves forward, and never beyond the last message', async () => {
    for (let count = 0; count < 3; count += 1) await send(garage.owner);
    expect((await read(buyer, 3)).body).toMatchObject({ unreadCount: 1 });
    expect((await read(buyer, 2)).body).toMatchObject({ unreadCount: 1 });
    expect(await read(buyer, 5)).toMatchObject({ status: 422, body: { errors: [{ pointer: '#/seq' }] } });
    expect((await read(buyer, 4)).body).toMatchObject({ unreadCount: 0 });
  });

  test('what is unread is right after any interleaving of writers and readers', async () => {
    const act = fc.record({
      isBuyer: fc.boolean(),
      reads: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 16 }), async (acts) => {
        const last = (await call('GET', thread.path, buyer)).body.lastSeq;
        await Promise.all(
          acts.map(({ isBuyer, reads }) => {
            const who = isBuyer ? buyer : garage.owner;
            return reads === null ? send(who) : read(who, Math.floor(reads * last));
          }),
        );
        const messages = await scoped(MessageModel, market.installation.id).find({
          conversationId: thread.id,
        });
        for (const [who, other, id] of [
          [buyer, 'seller', buyer.id],
          [garage.owner, 'buyer', garage.owner.id],
        ] as const) {
          const shown = (await call('GET', thread.path, garage.owner)).body;
          const marker = shown.participants.find((one: any) => one.userId === id)?.lastReadSeq ?? 0;
          const waiting = messages.filter(({ side, seq }) => side === other && seq > marker);
          expect(await unreadOf(who)).toBe(waiting.length);
        }
      }),
      { numRuns: 8 },
    );
  });

  test('a page costs the same commands for one message and for fifty, all of them by an index', async () => {
    const commands = async () => {
      // The change stream drops what is cached of the callers; the count starts with a known caller.
      await changesHeard();
      await list(buyer);
      return commandsOf(() => list(buyer));
    };
    const one = await commands();
    for (let count = 0; count < 49; count += 1) await send(count % 2 ? buyer : garage.owner);
    expect((await commands()).length).toBe(one.length);
    for (const { command, indexes } of await indexesOf(() => list(buyer)))
      expect([command, indexes.length]).toEqual([command, expect.not.stringMatching('^0$')]);
  });
});

describe('taking back', () => {
  test('leaves a stub, within 15 minutes and for the author', async () => {
    const { id } = (await send(buyer, { text: 'Too much.' })).body;
    expect((await retract(id, garage.owner)).body.code).toBe('ownership_required');
    for (let times = 0; times < 2; times += 1) expect((await retract(id, buyer)).status).toBe(204);
    const { data } = await list(garage.owner);
    expect(data[0]).toMatchObject({ id, seq: 2, state: 'retracted', text: null, attachments: [] });
    expect((await call('GET', thread.path, buyer)).body.lastMessagePreview).toBeNull();
    const late = (await send(buyer)).body;
    await age(late.id);
    expect(await retract(late.id, buyer)).toMatchObject({
      status: 409,
      body: { code: 'retract_window_over' },
    });
  });

  test('is a moderator’s at any time', async () => {
    const { id } = (await send(buyer, { text: 'Nasty.' })).body;
    await age(id);
    expect((await retract(id, moderator)).status).toBe(204);
    expect((await list(buyer)).data[0]).toMatchObject({ state: 'removed', text: null });
  });

  test('of a message under the path of another conversation is no message', async () => {
    const { id } = (await send(buyer)).body;
    const { id: listingId } = await garage.listing({ published: true });
    const other = (await call('POST', '/api/v1/conversations', buyer, { listingId, text: 'x' })).body;
    expect((await call('DELETE', `/api/v1/conversations/${other.id}/messages/${id}`, buyer)).body.code).toBe(
      'not_found',
    );
  });

  test('keeps the copy of a report that was made before', async () => {
    const { id } = (await send(buyer, { text: 'You will be sorry.' })).body;
    const target = { type: 'message', id };
    const report = (as: SeededUser) =>
      call('POST', '/api/v1/reports', as, { target, reason: 'harassment', text: 'See.' });
    expect((await report(await market.user())).body.code).toBe('not_found');
    expect((await report(garage.owner)).status).toBe(201);
    await retract(id, buyer);
    const { data } = (await call('GET', '/api/v1/admin/reports?targetType=message', moderator)).body;
    expect(JSON.stringify(data)).toContain('You will be sorry.');
  });
});

describe('attachments', () => {
  const store = (ownerId: string, changes: object = {}) =>
    storeMedia(
      market.installation.id,
      { type: ownerId.startsWith('usr') ? 'user' : 'dealer', id: ownerId },
      { purpose: 'message', ...changes },
    );
  const download = (id: string, as: SeededUser) => call('GET', `/api/v1/media/${id}/download`, as);

  test('are for whoever takes part, as long as the message is there, and in use as long', async () => {
    const mediaId = await store(buyer.id);
    expect((await download(mediaId, garage.owner)).status).toBe(403);
    const { body } = await send(buyer, { attachments: [mediaId] });
    expect(body).toMatchObject({ text: null, attachments: [{ mediaId, contentType: 'image/jpeg' }] });
    expect((await download(mediaId, garage.owner)).status).toBe(200);
    expect((await download(mediaId, await market.user())).status).toBe(403);
    const usage = async () =>
      (await scoped(MediaModel, market.installation.id).findOne({ _id: mediaId }))?.usage;
    expect(await usage()).toEqual([{ type: 'message', id: body.id }]);
    await retract(body.id, buyer);
    expect(await usage()).toEqual([]);
    expect((await download(mediaId, garage.owner)).status).toBe(403);
  });

  test.each([
    ['of somebody else', () => store(garage.owner.id)],
    ['of the other side', () => store(garage.id)],
    ['for another purpose', () => store(buyer.id, { purpose: 'listing' })],
    ['that is not ready', () => store(buyer.id, { state: 'processing' })],
  ])('a file %s does not exist', async (_, make) => {
    expect(await send(buyer, { text: 'See.', attachments: [await make()] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#/attachments/0' }] },
    });
  });

  test('a dealer’s file goes with the message of a member', async () => {
    expect((await send(garage.owner, { attachments: [await store(garage.id)] })).status).toBe(201);
  });
});

test('who waits for a message is mailed once, without its words, unless he has muted it', async () => {
  const mails = async (to: SeededUser) =>
    (await world.stack.mailsTo(to.email)).filter(({ kind }) => kind === 'messageReceived');
  for (let count = 0; count < 3; count += 1) await send(garage.owner, { text: 'Private words.' });
  const [mail, ...more] = await mails(buyer);
  expect(more).toEqual([]);
  expect(mail?.text).toContain(`/conversations/${thread.id}`);
  expect(mail?.text).not.toContain('Private words.');
  await read(buyer, 4);
  await call('PATCH', thread.path, buyer, { muted: true });
  await send(garage.owner);
  expect(await mails(buyer)).toHaveLength(1);
});

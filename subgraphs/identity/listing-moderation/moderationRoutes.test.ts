import { commandsOf } from '../../../test/support/commandsOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededUser, unique } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { ListingModel } from '../listing/model.ts';

const world = product();
const { market } = world;
let moderator: SeededUser;

beforeAll(async () => {
  moderator = await market.staff('moderator');
});

const waiting = async (): Promise<{ id: string; owner: SeededUser }> => {
  const owner = await market.user();
  const { id } = await owner.listing();
  await scoped(ListingModel, market.installation.id).findOneAndUpdate(
    { _id: id },
    { $set: { state: 'pending_review', queuedAt: new Date() } },
  );
  return { id, owner };
};
const as = ({ token }: SeededUser) => ({ token });

test('the queue is a page of listings, with the state, the flags, the reports and the age of each', async () => {
  const { id } = await waiting();
  const path = '/api/v1/admin/listings?state=pending_review&queued=true&limit=100';
  const { status, body, headers } = await world.rest('GET', path, as(moderator));
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toMatch(/no-store/);
  expect(body.data).toContainEqual(
    expect.objectContaining({
      id,
      state: 'pending_review',
      flags: [],
      openReports: 0,
      ageSeconds: expect.any(Number),
    }),
  );
  for (const wrong of ['state=nowhere', 'flag=x', 'cursor=x', 'queuedBefore=soon', 'colour=red'])
    expect((await world.rest('GET', `/api/v1/admin/listings?${wrong}`, as(moderator))).status).toBe(400);
});

test('an approval and a rejection answer the listing with its tag, and honour If-Match', async () => {
  for (const [verb, state, more] of [
    ['approve', 'active', {}],
    ['reject', 'rejected', { reasonCodes: ['misleading'], statement: 'Another car.' }],
  ] as const) {
    const { id } = await waiting();
    const path = `/api/v1/admin/listings/${id}/${verb}`;
    const body = { revision: 1, ...more };
    const headers = { 'if-match': '"9-00000000"' };
    expect(await world.rest('POST', path, { ...as(moderator), body, headers })).toMatchObject({
      status: 412,
    });
    const key = { 'idempotency-key': unique('key') };
    const done = await world.rest('POST', path, { ...as(moderator), body, headers: key });
    expect(done).toMatchObject({
      status: 200,
      body: { id, state, moderation: { reasonCodes: more.reasonCodes ?? [] } },
    });
    expect(done.headers.get('etag')).toMatch(/^"2-/);
    const again = await world.rest('POST', path, { ...as(moderator), body, headers: key });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(done.body);
    for (const [wrong, status, pointer] of [
      [more, 422, '#/revision'],
      [{ ...body, revision: 'x' }, 422, '#/revision'],
      [{ ...body, colour: 1 }, 422, '#/colour'],
    ] as const)
      expect(await world.rest('POST', path, { ...as(moderator), body: wrong })).toMatchObject({
        status,
        body: { errors: [{ pointer }] },
      });
  }
});

test('a report is made with 201, seen by the staff, and resolved with its tag', async () => {
  const { id } = await (await market.user()).listing({ published: true });
  const buyer = await market.user();
  const body = { target: { type: 'listing', id }, reason: 'fraud', text: 'No such car.' };
  const made = await world.rest('POST', '/api/v1/reports', { ...as(buyer), body });
  expect(made).toMatchObject({
    status: 201,
    body: { state: 'open', reason: 'fraud', target: { type: 'listing', id } },
  });
  expect(Object.keys(made.body).sort()).toEqual(['createdAt', 'id', 'reason', 'state', 'target']);
  expect(await world.rest('POST', '/api/v1/reports', { ...as(buyer), body })).toMatchObject({
    status: 409,
    body: { code: 'already_reported' },
  });
  const seen = await world.rest('GET', `/api/v1/admin/reports?targetId=${id}`, as(moderator));
  expect(seen.body.data).toMatchObject([
    { id: made.body.id, reporter: { userId: buyer.id }, source: 'report' },
  ]);
  const path = `/api/v1/admin/reports/${made.body.id}/resolve`;
  const done = await world.rest('POST', path, {
    ...as(moderator),
    body: {
      outcome: 'action_taken',
      actions: [{ type: 'reject_listing', targetId: id, revision: 1, reasonCodes: ['fraud'] }],
    },
  });
  expect(done).toMatchObject({
    status: 200,
    body: { state: 'action_taken', resolution: { outcome: 'action_taken' } },
  });
  expect(done.headers.get('etag')).toMatch(/^"2-/);
  const me = await world.rest('GET', '/api/v1/me', as(moderator));
  expect(me.body.counts).toEqual({ unreadMessages: 0, openReports: expect.any(Number) });
});

test('a notice is taken with 202 without identity, and a token that is wrong is refused even here', async () => {
  const body = {
    target: { type: 'listing', id: 'whatever' },
    reason: 'illegal',
    text: 'This is stolen.',
    email: `${unique('neighbour')}@example.test`,
    goodFaith: true,
  };
  expect(await world.rest('POST', '/api/v1/notices', { body })).toMatchObject({
    status: 202,
    body: { accepted: true },
  });
  expect(await world.rest('POST', '/api/v1/notices', { body, token: 'x.y.z' })).toMatchObject({
    status: 401,
  });
  expect(await world.rest('GET', '/api/v1/notices')).toMatchObject({ status: 401 });
  const { goodFaith: _, ...silent } = body;
  expect(await world.rest('POST', '/api/v1/notices', { body: silent })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '#/goodFaith' }] },
  });
});

test('a page costs as many commands as one entry of it', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => market.user()));
  const { id } = await market.user();
  for (const by of people) {
    await waiting();
    const target = { type: 'user', id };
    await world.rest('POST', '/api/v1/reports', { ...as(by), body: { target, reason: 'spam' } });
  }
  for (const path of ['/api/v1/admin/listings', '/api/v1/admin/reports']) {
    const costOf = async (limit: number) => {
      const warm = () => world.rest('GET', `${path}?limit=${limit}`, as(moderator));
      await warm();
      return commandsOf(async () => expect((await warm()).body.data).toHaveLength(limit));
    };
    expect(await costOf(4)).toEqual(await costOf(1));
  }
});

import { product } from '../../../test/support/product.ts';
import { type SeededDealer } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';

const world = product();
const { market } = world;
const pathOf = ({ id }: { id: string }) => `/api/v1/dealers/${id}`;
const read = (dealer: SeededDealer, token: string) => world.rest('GET', pathOf(dealer), { token });

test('a dealer is made with 201, its address and its version', async () => {
  const { token } = await market.user();
  const body = { legalName: 'Muster GmbH', tradeName: 'Muster', contactEmail: 'a@b.example', country: 'DE' };
  const made = await world.rest('POST', '/api/v1/dealers', { token, body });
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toMatch(new RegExp(`/api/v1/dealers/${made.body.id}$`));
  expect(made.headers.get('etag')).toMatch(/^"1-/);
  expect(made.body).toMatchObject({
    state: 'onboarding',
    verification: { state: 'not_started', documents: [] },
    payout: { accountState: 'none', schedule: { interval: 'manual', anchor: null } },
    stats: { activeListings: 0 },
  });
  const wrong = await world.rest('POST', '/api/v1/dealers', {
    token,
    body: { ...body, logoMediaId: 'med_x' },
  });
  expect([wrong.status, wrong.body.code]).toEqual([422, 'unknown_field']);
});

test('everybody gets what he may see of a dealer, and what is left out is no refusal to remember', async () => {
  const [manager, agent] = [await market.user(), await market.user()];
  const dealer = await market.dealer({
    members: [
      { userId: manager.id, role: 'manager' },
      { userId: agent.id, role: 'agent' },
    ],
  });
  const seen = async (token: string) => {
    const { status, body } = await read(dealer, token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: dealer.id, tradeName: expect.any(String) });
    return { payout: body.payout !== null, verification: body.verification && body.verification.documents };
  };
  expect(await seen(dealer.owner.token)).toEqual({ payout: true, verification: [] });
  expect(await seen(manager.token)).toEqual({ payout: true, verification: null });
  expect(await seen(agent.token)).toEqual({ payout: false, verification: null });
  expect(await seen((await market.staff('moderator')).token)).toEqual({ payout: false, verification: [] });
  expect(await seen((await market.staff('support')).token)).toEqual({ payout: true, verification: null });
  const stranger = await read(dealer, (await market.user()).token);
  expect([stranger.status, stranger.body.code]).toEqual([403, 'ownership_required']);
  await world.stack.platform.auditBuffer.flush();
  const denials = await scoped(AuditEventModel, market.installation.id).find({
    'target.id': dealer.id,
    result: 'denied',
  });
  expect(denials.map(({ action }) => action)).toEqual(['dealer']);
});

test('a change is conditional on the version that was read', async () => {
  const dealer = await market.dealer();
  const { token } = dealer.owner;
  const etag = (await read(dealer, token)).headers.get('etag') ?? '';
  const change = (legalName: string) =>
    world.rest('PATCH', pathOf(dealer), { token, body: { legalName }, headers: { 'if-match': etag } });
  expect(await change('First GmbH')).toMatchObject({ status: 200, body: { legalName: 'First GmbH' } });
  expect(await change('Second GmbH')).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
  const cached = await world.rest('GET', pathOf(dealer), {
    token,
    headers: { 'if-none-match': (await read(dealer, token)).headers.get('etag') ?? '' },
  });
  expect(cached.status).toBe(304);
});

test('closing answers 202 with the dealer as it is', async () => {
  const dealer = await market.dealer();
  const closed = await world.rest('DELETE', pathOf(dealer), { token: dealer.owner.token });
  expect(closed).toMatchObject({ status: 202, body: { id: dealer.id, state: 'closing' } });
});

test('decisions of the staff take the version from If-Match and the key from its header', async () => {
  const dealer = await market.dealer();
  const { token } = await market.staff('moderator');
  const decide = (headers: Record<string, string>) =>
    world.rest('POST', `/api/v1/admin/dealers/${dealer.id}/suspend`, {
      token,
      body: { reason: 'Complaints' },
      headers,
    });
  expect((await decide({ 'if-match': '"7-0"' })).status).toBe(412);
  const first = await decide({ 'if-match': '"1-0"', 'idempotency-key': 'suspend-1' });
  expect(first).toMatchObject({ status: 200, body: { state: 'suspended', stateReason: 'Complaints' } });
  const again = await decide({ 'if-match': '"1-0"', 'idempotency-key': 'suspend-1' });
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const missing = await world.rest('POST', `/api/v1/admin/dealers/${dealer.id}/suspend`, { token, body: {} });
  expect(missing).toMatchObject({ status: 422, body: { errors: [{ pointer: '#/reason' }] } });
});

test('the queue is a list with cursors, in lower case', async () => {
  const { token } = await market.staff('support');
  const list = (query: string) => world.rest('GET', `/api/v1/admin/dealers${query}`, { token });
  const { status, body, headers } = await list('?limit=1&state=active,suspended');
  expect([status, body.data.length, body.page.limit]).toEqual([200, 1, 1]);
  expect(headers.get('link')).toContain('rel="next"');
  expect((await list(`?limit=1&state=active,suspended&cursor=${body.page.nextCursor}`)).status).toBe(200);
  expect((await list('?cursor=nonsense')).body.code).toBe('invalid_cursor');
  expect((await list('?verificationState=nonsense')).status).toBe(400);
});

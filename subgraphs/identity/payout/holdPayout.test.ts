import { openPayoutDesk, type PayoutDesk } from '../../../test/support/openPayoutDesk.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import { proveLedger } from '../ledger/proveLedger.ts';

const minute = 60_000;

let desk: PayoutDesk;
beforeAll(async () => {
  desk = await openPayoutDesk();
});
afterAll(() => desk.close());
beforeEach(() => desk.renew());

test('of fifty holds at once one is made, and a held payout does not go', async () => {
  await desk.open(1000);
  const { id } = (await desk.request(700)).body;
  const holds = await Promise.all(Array.from({ length: 50 }, () => desk.hold(id)));
  const made = holds.filter(({ status }) => status === 200);
  expect(made).toHaveLength(1);
  expect(made[0]?.body).toMatchObject({ state: 'on_hold', hold: { reason: 'Looks odd' } });
  for (const { status, body } of holds)
    if (status !== 200) expect(['invalid_transition', 'concurrent_update']).toContain(body.code);
  await desk.work(60 * minute);
  expect((await desk.read(id))?.state).toBe('on_hold');
  const lines = await scoped(AuditEventModel, desk.shop.installation.id).find({
    'target.id': id,
    action: 'holdPayout',
    result: 'allowed',
  });
  expect(lines).toHaveLength(1);
  expect((await desk.list())[0].hold).toMatchObject({ reason: 'Looks odd', by: null });
});

test('a payout is let go by somebody else than who held it, and one on its way is not held', async () => {
  await desk.open(1000);
  const { id } = (await desk.request(700)).body;
  expect((await desk.hold(id, desk.operator)).status).toBe(200);
  expect((await desk.release(id)).body.code).toBe('four_eyes');
  const other = (await desk.shop.user({ roles: ['operator' as never] })).token;
  expect((await desk.release(id, other)).body).toMatchObject({ state: 'pending', hold: null });
  expect((await desk.release(id, other)).body.code).toBe('invalid_transition');
  await desk.work();
  expect((await desk.read(id))?.state).toBe('in_transit');
  const late = await desk.hold(id);
  expect([late.status, late.body.code]).toEqual([409, 'invalid_transition']);
  expect((await desk.hold(newId('payout'))).status).toBe(404);
  expect((await desk.hold(id, desk.finance, ' ')).status).toBe(422);
});

test('payouts of a dealer that is suspended are held, and stay so while it is', async () => {
  await desk.open(1000);
  const { id } = (await desk.request(700)).body;
  const moderator = (await desk.shop.staff('moderator')).token;
  const suspended = await desk.rest.call('POST', `/api/v1/admin/dealers/${desk.garage.id}/suspend`, {
    token: moderator,
    body: { reason: 'Complaints' },
  });
  expect(suspended.status).toBe(200);
  expect(await desk.read(id)).toMatchObject({ state: 'on_hold', hold: { reason: 'dealer_suspended' } });
  expect((await desk.release(id)).body.code).toBe('invalid_transition');
  await desk.rest.call('POST', `/api/v1/admin/dealers/${desk.garage.id}/reinstate`, {
    token: moderator,
    body: {},
  });
  expect((await desk.release(id)).body.state).toBe('pending');
});

test('after all that the balances are what the journal says, and nothing was moved twice', async () => {
  const { mismatches } = await proveLedger(desk.shop.installation.id);
  expect(mismatches).toEqual([]);
  const moved = await scoped(LedgerTransactionModel, desk.shop.installation.id).find({
    'source.type': 'payout',
  });
  expect(moved.length).toBeGreaterThan(2);
});

import { product } from '../../../../test/support/product.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import { AuditEventModel } from '../../../platform/audit/store/model.ts';
import { DealerModel } from './model.ts';

const { market, neighbour, stack } = product();
const audits = () => market.records(AuditEventModel);
const documents = 'verification { documents { mediaId } }';

test("a dealer's payouts are visible to managers, its verification to owners, and parts of both to the staff", async () => {
  const [manager, agent] = [await market.user(), await market.user()];
  const { id, owner } = await market.dealer({
    members: [
      { userId: manager.id, role: 'manager' },
      { userId: agent.id, role: 'agent' },
    ],
  });
  const [role, ownership] = ['dealer_role_required', 'ownership_required'];
  const views: [SeededUser, Record<'payout' | 'verification' | 'documents', string>][] = [
    [owner, { payout: 'shown', verification: 'shown', documents: 'shown' }],
    [manager, { payout: 'shown', verification: role, documents: role }],
    [agent, { payout: role, verification: role, documents: role }],
    [await market.staff('support'), { payout: 'shown', verification: 'shown', documents: ownership }],
    [await market.staff('finance'), { payout: 'shown', verification: 'shown', documents: ownership }],
    [await market.staff('moderator'), { payout: ownership, verification: 'shown', documents: 'shown' }],
  ];
  for (const [reader, view] of views) {
    const see = async (selection: string) => {
      const source = `query ($id: ID!) { dealer(dealerId: $id) { ${selection} } }`;
      const call = { as: reader, installation: market.installation };
      const { errors } = await stack.execute(source, { id }, call);
      return (errors?.[0]?.extensions?.problem as { code: string } | undefined)?.code ?? 'shown';
    };
    expect({
      payout: await see('payout { accountState }'),
      verification: await see('verification { state }'),
      documents: await see(documents),
    }).toEqual(view);
  }
});

test('REST returns null for members of a dealer that the caller cannot see, and audits only a refused request', async () => {
  const agent = await market.user();
  const dealer = await market.dealer({ members: [{ userId: agent.id, role: 'agent' }] });
  const read = (reader: SeededUser) => reader.rest('GET', `/api/v1/dealers/${dealer.id}`);
  expect(await read(agent)).toMatchObject({
    status: 200,
    body: { id: dealer.id, tradeName: expect.any(String), payout: null, verification: null },
  });
  expect(await read(await market.user())).toBeRefused(403, 'ownership_required');
  await stack.platform.auditBuffer.flush();
  const denials = await audits().find({ 'target.id': dealer.id, result: 'denied' });
  expect(denials.map(({ action }) => action)).toEqual(['dealer']);
});

test('reading the documents of a verification is audited for the staff and not for owners', async () => {
  const { id: dealerId, owner } = await market.dealer();
  const moderator = await market.staff('moderator');
  const countReads = () => audits().count({ action: 'DealerVerification.documents', 'target.id': dealerId });
  await owner.dealer({ dealerId }, documents);
  await moderator.dealer({ dealerId }, 'verification { state }');
  expect(await countReads()).toBe(0);
  await moderator.dealer({ dealerId }, documents);
  expect(await countReads()).toBe(1);
});

test('a refused change of a dealer does not read the documents of its verification', async () => {
  const { id: dealerId } = await market.dealer();
  const moderator = await market.staff('moderator');
  const path = `/api/v1/dealers/${dealerId}`;
  const change = { id: dealerId, tradeName: 'Garage Two' };
  expect(await moderator.rest('PATCH', path, { body: change })).toBeRefused(403, 'ownership_required');
  expect(await audits().count({ action: 'DealerVerification.documents', 'target.id': dealerId })).toBe(0);
});

test('the statistics of a dealer count published listings only', async () => {
  const dealer = await market.dealer();
  await dealer.listing({ published: true });
  await dealer.listing();
  const { stats } = await dealer.owner.dealer({ dealerId: dealer.id });
  expect(stats).toMatchObject({ activeListings: 1 });
});

test('the queue of dealers is in ascending order of submission, and dealers without a submission are last', async () => {
  const there = await neighbour();
  const support = await there.staff('support');
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1) ids.push((await there.dealer()).id);
  const set = (index: number, minute: number, members: object) =>
    there
      .records(DealerModel)
      .findOneAndUpdate(
        { _id: ids[index] ?? '' },
        { $set: { queuedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)), ...members } },
      );
  await set(1, 2, { 'verification.state': 'submitted', country: 'AT' });
  await set(2, 1, { 'verification.state': 'submitted', state: 'onboarding' });
  await set(3, 3, { 'verification.state': 'approved' });
  const list = support.adminDealers;
  const orderOf = async (filter: Parameters<typeof list>[0]) => {
    const { nodes } = await list(filter, 'nodes { id }');
    return nodes.map(({ id }) => ids.indexOf(id));
  };
  expect(await orderOf({})).toEqual([2, 1, 3, 0]);
  expect(await orderOf({ verificationState: ['SUBMITTED'] })).toEqual([2, 1]);
  expect(await orderOf({ state: ['ACTIVE'] })).toEqual([1, 3, 0]);
  expect(await orderOf({ country: 'AT' })).toEqual([1]);
  expect(await orderOf({ country: 'AT', state: ['SUSPENDED'] })).toEqual([]);
  expect(await list({ country: 'Austria' })).toBeRefused(400, 'malformed_request');
});

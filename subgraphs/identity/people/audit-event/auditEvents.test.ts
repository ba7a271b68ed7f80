import { perFile, product } from '../../../../test/support/product.ts';
import { type SeededInstallation, type SeededUser } from '../../../../test/support/seed.ts';
import { AuditEventModel, type AuditEventRecord } from '../../../platform/audit/store/model.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';

const { market, stack } = product();
const noon = Date.UTC(2026, 4, 2, 12);
const path = '/api/v1/admin/audit-events';
const admin = perFile(() => market.staff('installation_admin'));

type Filter = Parameters<SeededUser['auditEvents']>[0];
const find = (filter: Filter) => admin.auditEvents(filter);
const time = (ms: number) => new Date(ms).toISOString() as never;

/** Stores events of a new actor, so that tests do not read those of each other. Returns the actor. */
async function store(
  events: Partial<AuditEventRecord>[],
  { installation }: Pick<SeededInstallation, 'installation'> = market,
) {
  const actor = newId('user');
  await scoped(AuditEventModel, installation.id).insertAbsent(
    events.map((event, index) => ({
      _id: newId('auditEvent'),
      actor: { type: 'user' as const, id: actor },
      onBehalfOf: null,
      action: 'roles',
      target: null,
      result: 'allowed' as const,
      reason: null,
      requestId: null,
      ipPrefix: null,
      at: new Date(noon + index),
      count: 1,
      ...event,
    })),
  );
  return actor;
}

test('GraphQL and REST return an audit event with all of its members', async () => {
  const target = newId('dealer');
  const event = {
    onBehalfOf: target,
    action: 'updateDealer',
    target: { type: 'dealer', id: target },
    reason: 'dealer_role_required',
    requestId: 'r-1',
    ipPrefix: '192.0.2.0/24',
    count: 7,
  };
  const client = newId('client');
  await store([{ ...event, actor: { type: 'client', id: client }, result: 'denied' }]);
  const { nodes } = await find({ target });
  const at = new Date(noon).toISOString();
  const wire = {
    at,
    target: { type: 'dealer', targetId: target },
    actor: { type: 'CLIENT', actorId: client },
  };
  expect(nodes).toMatchObject([{ ...event, ...wire, result: 'DENIED' }]);
  const { body } = await admin.rest('GET', `${path}?target=${target}`);
  const actor = { type: 'client', id: client };
  const id = nodes[0]?.id;
  expect(body.data).toMatchObject([{ ...event, id, at, actor, result: 'denied' }]);
});

test.each<[string, Filter, string[]]>([
  ['an action', { action: 'suspendUser' }, ['b']],
  ['a result', { result: 'DENIED' }, ['c']],
  ['a time', { from: time(noon + 1), to: time(noon + 2) }, ['b']],
  ['several conditions', { action: 'roles', result: 'ALLOWED', from: time(noon) }, ['a']],
  ['no condition, in descending order of time', {}, ['c', 'b', 'a']],
])('audit events are filtered by %s', async (_, filter, expected) => {
  const events = [{ reason: 'a' }, { reason: 'b', action: 'suspendUser' }];
  const actor = await store([...events, { reason: 'c', result: 'denied' }]);
  expect((await find({ actor, ...filter })).nodes.map(({ reason }) => reason)).toEqual(expected);
});

test.each<[string, Filter]>([
  ['an empty period', { from: time(noon), to: time(noon) }],
  ['a text of more than 100 characters', { action: 'x'.repeat(101) }],
  ['an empty page', { first: 0 }],
])('a list of audit events with %s is refused', async (_, filter) => {
  expect(await find(filter)).toBeRefused(400, 'malformed_request');
});

const deniedTo = async (actor: string) => {
  await stack.platform.auditBuffer.flush();
  return (await find({ actor, result: 'DENIED' })).nodes;
};

test('a refusal by a guard or an owner check is recorded for GraphQL and REST', async () => {
  const [user, dealer] = [await market.user(), await market.dealer()];
  await user.rest('GET', '/api/v1/admin/roles');
  await user.roles();
  await user.rest('GET', `/api/v1/dealers/${dealer.id}`);
  const [overRest, direct] = [{ ipPrefix: '127.0.0.0/24' }, { ipPrefix: '192.0.2.0/24' }];
  const roles = { action: 'roles', target: null, reason: 'permission_required' };
  const target = { type: 'dealer', targetId: dealer.id };
  const denied = await deniedTo(user.id);
  expect(denied).toMatchObject([
    { action: 'dealer', target, reason: 'ownership_required', ...overRest },
    { ...roles, ...direct },
    { ...roles, ...overRest },
  ]);
  for (const { requestId } of denied) expect(requestId).toBeTruthy();
});

test('a refusal of an operation as a privilege escalation is recorded with its target', async () => {
  const { id, suspendUser } = await market.staff('installation_admin');
  await suspendUser({ userId: id, reason: 'x' });
  const target = { type: 'user', targetId: id };
  const refusal = { action: 'suspendUser', reason: 'privilege_escalation', target };
  expect(await deniedTo(id)).toMatchObject([refusal]);
});

test('a refusal for another reason than missing rights is not recorded', async () => {
  const user = await market.user();
  await user.dealer({ dealerId: newId('dealer') });
  await user.updateMe({ displayName: '' });
  await market.caller('nonsense').me();
  await market.visitor.roles();
  expect(await deniedTo(user.id)).toEqual([]);
});

const readTable = (search: string) =>
  admin.rest('GET', `${path}?${search}`, { headers: { accept: 'text/csv' } });

test('a CSV export of audit events has a column for each member and contains no formulas', async () => {
  const actor = await store([
    { reason: '=HYPERLINK("http://evil.test")', target: { type: 'user', id: 'usr_1' } },
  ]);
  const { headers, body } = await readTable(`actor=${actor}`);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  const [head, row, ...others] = body.split('\r\n');
  expect(head).toBe(
    'id,at,actor.type,actor.id,onBehalfOf,action,target.type,target.id,result,reason,requestId,ipPrefix,count',
  );
  expect(row).toMatch(
    new RegExp(`^aud_\\w+,2026-05-02T12:00:00.000Z,user,${actor},,roles,user,usr_1,allowed,"'=HYPERLINK`),
  );
  expect(others).toEqual(['']);
});

test('a refused CSV export of audit events returns a problem in JSON', async () => {
  const user = await market.user();
  const refused = await user.rest('GET', path, { headers: { accept: 'text/csv' } });
  expect(refused).toBeRefused(403, 'permission_required');
  expect(refused.headers.get('content-type')).toBe('application/problem+json');
});

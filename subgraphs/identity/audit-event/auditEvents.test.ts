import { commandsOf } from '../../../test/support/commandsOf.ts';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { type SeededInstallation, type SeededUser, seed } from '../../../test/support/seed.ts';
import { AuditEventModel, type AuditEventRecord } from '../../platform/audit/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildIdentity } from '../server.ts';

const noon = Date.UTC(2026, 4, 2, 12);
const time = (ms: number) => new Date(ms).toISOString();
const path = '/api/v1/admin/audit-events';

let rest: RestStack;
let shop: SeededInstallation;
let admin: SeededUser;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
  admin = await shop.staff('installation_admin');
});
afterAll(() => rest.close());

/** Lines of an actor of their own, so that tests do not see each other's. */
async function store(lines: Partial<AuditEventRecord>[], actorId = newId('user')): Promise<string> {
  const events = lines.map((line, index) => ({
    _id: newId('auditEvent'),
    actor: { type: 'user' as const, id: actorId },
    onBehalfOf: null,
    action: 'roles',
    target: null,
    result: 'allowed' as const,
    reason: null,
    requestId: null,
    ipPrefix: null,
    at: new Date(noon + index),
    count: 1,
    ...line,
  }));
  await scoped(AuditEventModel, shop.installation.id).insertAbsent(events);
  return actorId;
}

const query = `query ($first: Int, $after: String, $actor: ID, $target: ID, $action: String, $result: AuditResult,
  $from: DateTime, $to: DateTime) {
  auditEvents(first: $first, after: $after, actor: $actor, target: $target, action: $action, result: $result,
    from: $from, to: $to) {
    nodes { id at actor { type id } onBehalfOf action target { type id } result reason requestId ipPrefix count }
    pageInfo { hasNextPage endCursor }
  } }`;
const ask = (variables: object) =>
  rest.stack.execute(query, variables as Record<string, unknown>, { as: admin });
const read = async (variables: object) => {
  const { data, errors } = await ask(variables);
  if (errors) throw errors[0];
  return data?.auditEvents;
};

describe('audit events', () => {
  test('are shown with everything that was written down, alike in both styles', async () => {
    const target = newId('dealer');
    const actor = await store([
      {
        actor: { type: 'client', id: newId('client') },
        onBehalfOf: target,
        action: 'updateDealer',
        target: { type: 'dealer', id: target },
        result: 'denied',
        reason: 'dealer_role_required',
        requestId: 'r-1',
        ipPrefix: '192.0.2.0/24',
        count: 7,
      },
    ]);
    expect(actor).toBeTruthy();
    const { nodes } = await read({ target });
    expect(nodes).toMatchObject([
      {
        at: new Date(noon).toISOString(),
        actor: { type: 'CLIENT' },
        onBehalfOf: target,
        action: 'updateDealer',
        target: { type: 'dealer', id: target },
        result: 'DENIED',
        reason: 'dealer_role_required',
        requestId: 'r-1',
        ipPrefix: '192.0.2.0/24',
        count: 7,
      },
    ]);
    const { body } = await rest.call('GET', `${path}?target=${target}`, { token: admin.token });
    const [{ actor: by, result, ...same }] = nodes;
    expect(body).toEqual({
      data: [{ ...same, actor: { ...by, type: 'client' }, result: 'denied' }],
      page: { nextCursor: null, limit: 20 },
    });
    expect(result).toBe('DENIED');
  });

  test.each<[string, object, string[]]>([
    ['an action', { action: 'suspendUser' }, ['b']],
    ['a result', { result: 'DENIED' }, ['c']],
    ['a time', { from: time(noon + 1), to: time(noon + 2) }, ['b']],
    ['everything', { action: 'roles', result: 'ALLOWED', from: time(noon) }, ['a']],
    ['nothing, the newest first', {}, ['c', 'b', 'a']],
  ])('are found by %s', async (_, filter, expected) => {
    const actor = await store([
      { reason: 'a' },
      { reason: 'b', action: 'suspendUser' },
      { reason: 'c', result: 'denied' },
    ]);
    const { nodes } = await read({ actor, ...filter });
    expect(nodes.map(({ reason }: { reason: string }) => reason)).toEqual(expected);
  });

  test('are paged without a gap or a repetition, also where many have one time', async () => {
    const actor = await store(
      Array.from({ length: 25 }, (_, index) => ({ at: new Date(noon + (index % 3)) })),
    );
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: any = await read({ actor, first: 4, after });
      seen.push(...page.nodes.map(({ id, at }: { id: string; at: string }) => `${at} ${id}`));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(new Set(seen).size).toBe(25);
    expect(seen).toEqual([...seen].sort((a, b) => (a > b ? -1 : 1)));
  });

  test('cost one command besides those that recognise the caller, for 1, 10 and 100', async () => {
    const actor = await store(Array.from({ length: 100 }, () => ({})));
    const costs = [];
    for (const first of [1, 10, 100]) costs.push(await commandsOf(() => read({ actor, first })));
    expect(costs[0]).toContain('find audit_events');
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[2]).toEqual(costs[0]);
  });

  test('of another installation are not seen', async () => {
    const abroad = await seed(rest.stack).installation();
    const actor = newId('user');
    await scoped(AuditEventModel, abroad.installation.id).insert({
      _id: newId('auditEvent'),
      actor: { type: 'user', id: actor },
      onBehalfOf: null,
      action: 'roles',
      target: null,
      result: 'allowed',
      reason: null,
      requestId: null,
      ipPrefix: null,
      at: new Date(noon),
      count: 1,
    });
    expect((await read({ actor })).nodes).toEqual([]);
  });

  test.each([
    ['a time that ends before it begins', { from: time(noon), to: time(noon) }],
    ['a text without end', { action: 'x'.repeat(101) }],
    ['an empty page', { first: 0 }],
  ])('are refused for %s', async (_, variables) => {
    expect(problemOf(await ask(variables))).toMatchObject({ code: 'malformed_request', status: 400 });
  });

  test('are refused with a cursor of another filter', async () => {
    const actor = await store([{}, {}]);
    const { pageInfo } = await read({ actor, first: 1 });
    expect(problemOf(await ask({ first: 1, after: pageInfo.endCursor }))).toMatchObject({
      code: 'invalid_cursor',
    });
  });
});

describe('a refusal', () => {
  const deniedTo = async (actor: string) => {
    await rest.stack.platform.auditBuffer.flush();
    return (await read({ actor, result: 'DENIED' })).nodes;
  };

  test('of a person who is known is a line, whichever way he came, and wherever he was refused', async () => {
    const user = await shop.user();
    const dealer = await shop.dealer();
    await rest.call('GET', '/api/v1/admin/roles', { token: user.token });
    await rest.stack.execute('{ roles { roles { name } } }', {}, { as: user });
    await rest.call('GET', `/api/v1/dealers/${dealer.id}`, { token: user.token });
    const denied = await deniedTo(user.id);
    expect(denied).toMatchObject([
      {
        action: 'dealer',
        target: { type: 'dealer', id: dealer.id },
        reason: 'ownership_required',
        ipPrefix: '127.0.0.0/24',
      },
      { action: 'roles', target: null, reason: 'permission_required', ipPrefix: '192.0.2.0/24' },
      { action: 'roles', target: null, reason: 'permission_required', ipPrefix: '127.0.0.0/24' },
    ]);
    for (const { requestId } of denied) expect(requestId).toBeTruthy();
  });

  test('by a rule of the resolver is a line, with whom it was aimed at', async () => {
    const boss = await shop.staff('installation_admin');
    const self = { userId: boss.id, reason: 'x' };
    await rest.call('POST', `/api/v1/admin/users/${boss.id}/suspend`, {
      token: boss.token,
      body: { reason: self.reason },
    });
    expect(await deniedTo(boss.id)).toMatchObject([
      { action: 'suspendUser', reason: 'privilege_escalation', target: { type: 'user', id: boss.id } },
    ]);
  });

  test('that is none of rights leaves no line', async () => {
    const user = await shop.user();
    await rest.call('GET', `/api/v1/dealers/${newId('dealer')}`, { token: user.token });
    await rest.call('PATCH', '/api/v1/me', { token: user.token, body: { displayName: '' } });
    await rest.call('GET', '/api/v1/me', { token: 'nonsense' });
    await rest.call('GET', '/api/v1/admin/roles');
    expect(await deniedTo(user.id)).toEqual([]);
  });
});

describe('as a table', () => {
  const table = async (search: string) => {
    const response = await fetch(`${rest.origin}${path}?${search}`, {
      headers: { authorization: `Bearer ${admin.token}`, accept: 'text/csv' },
    });
    return { response, text: await response.text() };
  };

  test('they have a column for each member, and compute nothing', async () => {
    const actor = await store([
      { reason: '=HYPERLINK("http://evil.test")', target: { type: 'user', id: 'usr_1' } },
    ]);
    const { response, text } = await table(`actor=${actor}`);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const [head, row, ...rest] = text.split('\r\n');
    expect(head).toBe(
      'id,at,actor.type,actor.id,onBehalfOf,action,target.type,target.id,result,reason,requestId,ipPrefix,count',
    );
    expect(row).toMatch(
      new RegExp(`^aud_\\w+,2026-05-02T12:00:00.000Z,user,${actor},,roles,user,usr_1,allowed,"'=HYPERLINK`),
    );
    expect(rest).toEqual(['']);
  });

  test('they end after ten thousand rows', async () => {
    const actor = await store(Array.from({ length: 10_050 }, (_, index) => ({ at: new Date(noon - index) })));
    const { text } = await table(`actor=${actor}`);
    const lines = text.split('\r\n');
    expect(lines).toHaveLength(10_002);
    expect(new Set(lines).size).toBe(10_002);
  }, 120_000);

  test('they are refused like any list', async () => {
    const user = await shop.user();
    const response = await fetch(`${rest.origin}${path}`, {
      headers: { authorization: `Bearer ${user.token}`, accept: 'text/csv' },
    });
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });
});

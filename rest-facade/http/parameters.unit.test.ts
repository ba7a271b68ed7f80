import { type Call, type RunningFacade, startFacade } from '../fixture/startFacade.ts';

let facade: RunningFacade;
beforeAll(async () => {
  facade = await startFacade();
});
afterAll(() => facade.close());

const list = (query: string) => facade.call(`/api/v1/listings?${query}`, { token: 'user' });

test.each<[string, object]>([
  ['states=draft,in_review', { states: ['DRAFT', 'IN_REVIEW'] }],
  ['price.min=-9007199254740991', { minPrice: -9007199254740991 }],
  ['since=2026-05-02T09:00:00.000Z', { since: '2026-05-02T09:00:00.000Z' }],
  ['since=2026-05-02T09%3A00%3A00%2B02:00', { since: '2026-05-02T09:00:00+02:00' }],
  ['tag=a%2Cb&tag=c+d', { tags: ['a,b', 'c d'] }],
  ['urgent=false', { urgent: false }],
  ['weight=-1.5e3', { weight: -1500 }],
  ['limit=3', { first: 3 }],
  ['limit=5000', { first: 100 }],
  ['', { first: 20 }],
  ['&&', { first: 20 }],
  [
    'attr.make=a,b&attr.year.min=2020&attr.year.max=2021',
    {
      attributes: [
        { name: 'make', values: ['a', 'b'] },
        { name: 'year', min: 2020, max: 2021 },
      ],
    },
  ],
  ['attr.a.b=x', { attributes: [{ name: 'a.b', values: ['x'] }] }],
])('the query %p fills the variables of its operation', async (query, variables) => {
  const { json, status } = await list(query);
  expect([status, json]).toMatchObject([200, { meta: { echo: variables } }]);
});

test.each<[string, string]>([
  ['nope=1', 'unsupported_parameter'],
  ['limit=1&limit=2', 'unsupported_parameter'],
  ['states=draft&states=active', 'unsupported_parameter'],
  ['states[]=draft', 'unsupported_parameter'],
  ['states[$ne]=draft', 'unsupported_parameter'],
  ['first=2', 'unsupported_parameter'],
  ['__proto__=x', 'unsupported_parameter'],
  ['constructor=x', 'unsupported_parameter'],
  ['attr.=x', 'unsupported_parameter'],
  ['attr.make=a&attr.make=b', 'unsupported_parameter'],
  ['states=DRAFT', 'malformed_request'],
  ['states=', 'malformed_request'],
  ['states=draft,,active', 'malformed_request'],
  ['limit=0', 'malformed_request'],
  ['limit=-1', 'malformed_request'],
  ['limit=1.5', 'malformed_request'],
  ['limit=1e2', 'malformed_request'],
  ['limit=', 'malformed_request'],
  ['limit=99999999999', 'malformed_request'],
  ['urgent=yes', 'malformed_request'],
  ['weight=NaN', 'malformed_request'],
  ['weight=1e999', 'malformed_request'],
  ['weight=0x10', 'malformed_request'],
  ['price.min=9007199254740992', 'malformed_request'],
  ['since=yesterday', 'malformed_request'],
  ['since=2026-13-45T00:00:00Z', 'malformed_request'],
  ['attr.year.min=old', 'malformed_request'],
  ['cursor=%', 'malformed_request'],
  ['cursor=%zz', 'malformed_request'],
  ['cursor=%ff', 'malformed_request'],
  ['cursor=%ed%a0%80', 'malformed_request'],
  [Array.from({ length: 201 }, (_, index) => `tag=${index}`).join('&'), 'malformed_request'],
])('the query %.40p is refused with 400 %s', async (query, code) => {
  const { json } = await list(query);
  expect(json).toMatchObject({ status: 400, code });
});

test.each<[string, string, number]>([
  ['an escape is decoded once', '/api/v1/catalog/listings/a%2520b', 200],
  ['an escaped slash is part of the value', '/api/v1/catalog/listings/a%2Fb', 200],
  ['an escape that is none', '/api/v1/catalog/listings/%zz', 400],
  ['bytes that are no UTF-8', '/api/v1/catalog/listings/%ff', 400],
])('path parameters: %s', async (_, path, status) => {
  const reply = await facade.call(path);
  expect(reply.status).toBe(status);
  if (status === 200)
    expect(reply.json).toMatchObject({ id: decodeURIComponent(path.split('/').at(-1) ?? '') });
});

test('a parameter of one method is unknown to another', async () => {
  const reply = await facade.call('/api/v1/me?scope=all', { token: 'user' });
  expect(reply.json).toMatchObject({ status: 400, code: 'unsupported_parameter' });
});

test('a hostile name is cut short in the answer', async () => {
  const { text } = await list(`${'x'.repeat(5000)}=1`);
  expect(text.length).toBeLessThan(600);
});

describe('members of the input outside of the body', () => {
  const relations = '/api/rest/translation/v1/relations';
  const translations = '/api/rest/translation/v1/translations';
  const admin = (method: string, more: Call = {}): Call => ({ method, token: 'admin', ...more });

  test('DELETE takes them from the query', async () => {
    const { json } = await facade.call(`${relations}?objectId=lst_1&cascade=true`, admin('DELETE'));
    expect(json).toEqual({ objectId: 'lst_1', cascade: true });
  });

  test('DELETE takes them from a body if the query is empty', async () => {
    const { json } = await facade.call(
      relations,
      admin('DELETE', { body: { objectId: 'lst_1', cascade: true } }),
    );
    expect(json).toEqual({ objectId: 'lst_1', cascade: true });
  });

  test('DELETE refuses both at once, and neither', async () => {
    const both = await facade.call(
      `${relations}?objectId=lst_1`,
      admin('DELETE', { body: { cascade: true } }),
    );
    expect(both.json).toMatchObject({ status: 400, code: 'malformed_request' });
    const neither = await facade.call(relations, admin('DELETE'));
    expect(neither.json).toMatchObject({ status: 400, code: 'malformed_request' });
    const incomplete = await facade.call(relations, admin('DELETE', { body: { cascade: true } }));
    expect(incomplete.json).toMatchObject({ status: 422, errors: [{ pointer: '#/objectId' }] });
  });

  test.each(['PUT', 'PATCH'])(
    '%s takes a named member from query or body, and refuses two answers',
    async (method) => {
      const call = (query: string, body: object) =>
        facade.call(translations + query, admin(method, { body }));
      const expected = { id: 'trn_1', status: 'ACTIVE' };
      expect((await call('?id=trn_1', { status: 'active' })).json).toEqual(expected);
      expect((await call('', { id: 'trn_1', status: 'active' })).json).toEqual(expected);
      expect((await call('?id=trn_1', expected.id ? { id: 'trn_1', status: 'active' } : {})).json).toEqual(
        expected,
      );
      expect((await call('?id=trn_2', { id: 'trn_1', status: 'active' })).json).toMatchObject({
        status: 400,
      });
      expect((await call('', { status: 'active' })).json).toMatchObject({
        status: 422,
        errors: [{ pointer: '#/id' }],
      });
      expect((await call('?status=active', { id: 'trn_1' })).json).toMatchObject({
        code: 'unsupported_parameter',
      });
    },
  );
});

describe('headers', () => {
  const patch = (ifMatch: string) =>
    facade.call('/api/v1/me', {
      method: 'PATCH',
      token: 'user',
      body: { name: 'B' },
      headers: { 'if-match': ifMatch },
    });

  test.each<[string, string, number]>([
    ['the version of the record, whatever representation was seen', '"3-0badc0de"', 200],
    ['a bare version', '"3"', 200],
    ['any version', '*', 200],
    ['one version in several representations', '"3-aaaaaaaa", "3-bbbbbbbb"', 200],
    ['another version', '"2-0badc0de"', 412],
    ['a weak tag, which never matches strongly', 'W/"3-0badc0de"', 412],
    ['a tag of somebody else', '"xyz"', 412],
    ['no tag at all', '3', 412],
    ['two versions', '"3-aaaaaaaa", "4-aaaaaaaa"', 400],
  ])('If-Match with %s', async (_, tag, status) => {
    expect((await patch(tag)).status).toBe(status);
  });

  test('If-Match cannot hold where there are no versions', async () => {
    const call: Call = { method: 'PUT', token: 'user', headers: { 'if-match': '"1"' } };
    expect((await facade.call('/api/v1/me/favorites/lst_1', call)).status).toBe(412);
  });

  const pay = (headers: Record<string, string | string[]>) =>
    facade.call('/api/v1/payments', { method: 'POST', token: 'user', body: { amount: 100 }, headers });

  test('an Idempotency-Key reaches the operation', async () => {
    const { json } = await pay({ 'idempotency-key': 'k-1' });
    expect(json).toEqual({ amount: 100, idempotencyKey: 'k-1' });
  });

  test.each<[string, Record<string, string | string[]>, string]>([
    ['missing', {}, 'idempotency_key_required'],
    ['empty', { 'idempotency-key': '' }, 'idempotency_key_invalid'],
    ['sent twice', { 'idempotency-key': ['a', 'b'] }, 'idempotency_key_invalid'],
    ['too long', { 'idempotency-key': 'x'.repeat(256) }, 'idempotency_key_invalid'],
    ['not visible', { 'idempotency-key': 'a b' }, 'idempotency_key_invalid'],
  ])('a required Idempotency-Key that is %s', async (_, headers, code) => {
    expect((await pay(headers)).json).toMatchObject({ status: 400, code });
  });
});

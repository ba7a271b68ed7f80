import { useFacade } from '../../../test/support/facade/startFacade.ts';

const facade = useFacade();
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
  ['limit=100', { first: 100 }],
  ['', { first: 20 }],
  ['&&', { first: 20 }],
  ['attr.make=a,b', { attributes: [{ name: 'make', values: ['a', 'b'] }] }],
  ['attr.year.min=2020&attr.year.max=2021', { attributes: [{ name: 'year', min: 2020, max: 2021 }] }],
  ['attr.a.b=x', { attributes: [{ name: 'a.b', values: ['x'] }] }],
])('the query %p fills the variables of its operation', async (query, variables) => {
  const { json, status } = await list(query);
  expect([status, json]).toMatchObject([200, { meta: { echo: variables } }]);
});

// test/hostile-input holds unknown, repeated and bracketed parameters and malformed escapes for every route.
test.each(['states=draft&states=active', 'first=2', 'constructor=x', 'attr.=x', 'attr.make=a&attr.make=b'])(
  'the query %s is refused as an unsupported parameter',
  async (query) => {
    expect((await list(query)).json).toMatchObject({ status: 400, code: 'unsupported_parameter' });
  },
);

test.each([
  'states=DRAFT',
  'states=',
  'states=draft,,active',
  'limit=0',
  'limit=-1',
  'limit=101',
  'limit=1.5',
  'limit=1e2',
  'limit=',
  'limit=99999999999',
  'urgent=yes',
  'weight=NaN',
  'weight=1e999',
  'weight=0x10',
  'price.min=9007199254740992',
  'since=yesterday',
  'since=2026-13-45T00:00:00Z',
  'attr.year.min=old',
  'cursor=%ed%a0%80',
  Array.from({ length: 201 }, (_, index) => `tag=${index}`).join('&'),
])('the query %.40s is refused as malformed', async (query) => {
  expect((await list(query)).json).toMatchObject({ status: 400, code: 'malformed_request' });
});

test('the refusal of a parameter names it, its rule and the remedy', async () => {
  expect((await list('limit=101')).json).toMatchObject({
    status: 400,
    parameter: 'limit',
    detail: 'The parameter "limit" must be from 1 to 100. Follow `page.nextCursor` for more entries.',
  });
  expect((await list('first=2')).json).toMatchObject({ code: 'unsupported_parameter', parameter: 'first' });
});

test('a path parameter is decoded once and may hold an escaped slash', async () => {
  for (const [escaped, id] of [
    ['a%2520b', 'a%20b'],
    ['a%2Fb', 'a/b'],
  ] as const)
    expect((await facade.call(`/api/v1/catalog/listings/${escaped}`)).json).toMatchObject({ id });
});

test('a long unknown name is truncated in the refusal', async () => {
  expect((await list(`${'x'.repeat(5000)}=1`)).text.length).toBeLessThan(600);
});

describe('input members outside the body', () => {
  const call = (method: string, path: string, body?: object) =>
    facade.call(`/api/rest/translation/v1/${path}`, { method, token: 'admin', ...(body && { body }) });

  test('a DELETE takes its members from the query, or from the body if it has no query', async () => {
    const members = { objectId: 'lst_1', cascade: true };
    expect((await call('DELETE', 'relations?objectId=lst_1&cascade=true')).json).toEqual(members);
    expect((await call('DELETE', 'relations', members)).json).toEqual(members);
    const malformed = { status: 400, code: 'malformed_request' };
    const cascade = { cascade: true };
    expect((await call('DELETE', 'relations?objectId=lst_1', cascade)).json).toMatchObject(malformed);
    expect((await call('DELETE', 'relations')).json).toMatchObject(malformed);
    const incomplete = { status: 422, errors: [{ pointer: '#/objectId' }] };
    expect((await call('DELETE', 'relations', cascade)).json).toMatchObject(incomplete);
  });

  test.each(['PUT', 'PATCH'])(
    'a %s takes a named member from the query or the body if both agree',
    async (method) => {
      const change = async (query: string, body: object) =>
        (await call(method, `translations${query}`, body)).json;
      const [id, status] = ['trn_1', 'active'];
      for (const [query, body] of [
        ['?id=trn_1', { status }],
        ['', { id, status }],
        ['?id=trn_1', { id, status }],
      ] as const)
        expect(await change(query, body)).toEqual({ id, status: 'ACTIVE' });
      expect(await change('?id=trn_2', { id, status })).toMatchObject({ status: 400 });
      expect(await change('', { status })).toMatchObject({ status: 422, errors: [{ pointer: '#/id' }] });
      expect(await change('?status=active', { id })).toMatchObject({ code: 'unsupported_parameter' });
    },
  );
});

// test/contract/preconditions.test.ts holds the refusals of other versions.
test.each<[string, string]>([
  ['the version of another representation', '"3-0badc0de"'],
  ['a version alone', '"3"'],
  ['any version', '*'],
  ['one version in several representations', '"3-aaaaaaaa", "3-bbbbbbbb"'],
])('If-Match accepts %s', async (_, tag) => {
  const call = { method: 'PATCH', token: 'user', body: { name: 'B' }, headers: { 'if-match': tag } };
  expect((await facade.call('/api/v1/me', call)).status).toBe(200);
});

const pay = (key: string | string[]) =>
  facade.call('/api/v1/payments', {
    method: 'POST',
    token: 'user',
    body: { amount: 100 },
    headers: { 'idempotency-key': key },
  });

test('an Idempotency-Key header is passed to the operation', async () => {
  expect((await pay('k-1')).json).toEqual({ amount: 100, idempotencyKey: 'k-1' });
});

test.each<[string, string | string[]]>([
  ['is empty', ''],
  ['is sent twice', ['a', 'b']],
  ['is too long', 'x'.repeat(256)],
  ['has invisible characters', 'a b'],
])('an Idempotency-Key that %s is refused', async (_, key) => {
  expect((await pay(key)).json).toMatchObject({ status: 400, code: 'idempotency_key_invalid' });
});

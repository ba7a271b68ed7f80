import { type Call, useFacade } from '../../../test/support/facade/startFacade.ts';

const facade = useFacade();
const get = (path: string, headers: Record<string, string> = {}) =>
  facade.call(path, { token: 'user', headers });

describe('record responses', () => {
  test('a record is returned alone, with enum values in lower case and JSON unchanged', async () => {
    const { json, headers } = await get('/api/v1/listings/lst_1');
    expect(json).toMatchObject({
      state: 'in_review',
      history: ['draft', 'in_review'],
      attributes: { state: 'ACTIVE', nested: { UPPER: 'KEPT' } },
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  });

  test('a record returns 304 for its tag, whether sent alone, weak, in a list or as *', async () => {
    const etag = (await get('/api/v1/listings/lst_1')).headers.etag ?? '';
    for (const known of [etag, `W/${etag}`, `"1-x", ${etag}`, '*']) {
      const again = await get('/api/v1/listings/lst_1', { 'if-none-match': known });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
      expect(again.headers['content-type']).toBeUndefined();
    }
    expect((await get('/api/v1/listings/lst_1', { 'if-none-match': '"7-00000000"' })).status).toBe(200);
    expect((await get('/api/v1/listings/lst_1', { 'if-match': '"7-00000000"' })).status).toBe(200);
  });

  test('a missing record returns 404 with the name of its type', async () => {
    const problem = { code: 'not_found', detail: 'Listing does not exist.' };
    expect((await get('/api/v1/listings/lst_x')).json).toMatchObject(problem);
  });

  test.each(['*/*', 'application/*', 'text/html, application/json;q=0.1', 'application/problem+json'])(
    'a record is returned for Accept: %s',
    async (accept) => {
      expect((await get('/api/v1/me', { accept })).status).toBe(200);
    },
  );
});

describe('collection responses', () => {
  test('a collection has data, page and meta, and a link to its next page', async () => {
    const { json, headers } = await get('/api/v1/listings?limit=100&states=draft');
    expect(json).toMatchObject({ page: { nextCursor: '100', limit: 100 }, meta: { totalCount: 250 } });
    expect(headers.link).toBe('</api/v1/listings?limit=100&states=draft&cursor=100>; rel="next"');
    const second = await get('/api/v1/listings?limit=100&states=draft&cursor=100');
    expect(second.headers.link).toBe('</api/v1/listings?limit=100&states=draft&cursor=200>; rel="next"');
    const last = await get('/api/v1/listings?limit=100&cursor=200');
    const page = { nextCursor: null, limit: 100 };
    expect([last.json, last.headers.link]).toMatchObject([{ page }, undefined]);
  });

  test('every response of a deprecated route states its last day and the page of deprecations', async () => {
    const link = '</docs/changelog#deprecations>; rel="deprecation"; type="text/html"';
    const expected = { deprecation: '@1795824000', sunset: 'Tue, 01 Jun 2027 00:00:00 GMT' };
    const path = '/api/v1/listings-report';
    const page = await get(`${path}?limit=100`);
    expect(page.headers).toMatchObject({
      ...expected,
      link: `<${path}?limit=100&cursor=100>; rel="next", ${link}`,
    });
    for (const query of ['?format=csv', '?limit=x'])
      expect((await get(`${path}${query}`)).headers).toMatchObject({ ...expected, link });
    expect((await get('/api/v1/listings')).headers).not.toHaveProperty('deprecation');
  });

  test('a collection without pages has no page, and members beside the list are meta', async () => {
    const { json, headers } = await facade.call('/api/v1/admin/roles', { token: 'admin' });
    expect(json).toEqual({ data: [{ name: 'support' }], meta: { version: 5 } });
    expect(headers.etag).toMatch(/^"5-/);
  });
});

describe('translated records', () => {
  const path = '/api/v1/catalog/listings/lst_1';
  const own = { id: 'lst_1', state: 'in_review', title: 'Ädelmetall' };

  test('a record is returned in the language of its reader, which Content-Language states', async () => {
    const { json, headers } = await get(`${path}?locale=fr`);
    expect([json, headers['content-language']]).toEqual([{ ...own, title: 'Métal noble' }, 'fr']);
  });

  test.each([
    ['without texts in that language', '?locale=de'],
    ['without a stated language', ''],
    ['while translations are unavailable', '?locale=down'],
  ])('a record is returned with its own texts %s', async (_, query) => {
    const { json, headers } = await get(path + query);
    expect(json).toEqual(own);
    if (query === '') expect(headers['content-language']).toBeUndefined();
  });

  test('a record is refused for an invalid language tag', async () => {
    expect((await get(`${path}?locale=wrong`)).json).toMatchObject({ status: 400, code: 'invalid_language' });
  });

  test('a response depends on the first 1,001 characters of Accept-Language, as Vary states', async () => {
    const accepted = `fr-CA, en;q=0.5${',xx'.repeat(10_000)}`;
    const path = '/api/rest/translation/v1/languages';
    const { json, headers } = await get(path, { 'accept-language': accepted.slice(0, 4000) });
    expect(json).toMatchObject({ data: [{ reader: accepted.slice(0, 1001) }] });
    expect(headers.vary).toBe('Authorization, Accept-Language');
    expect((await facade.call(path)).json).toMatchObject({ data: [{ reader: null }] });
  });
});

describe('write responses', () => {
  test('a write returns 201 with the Location of what it created, and 200 if that existed', async () => {
    const put = (id: string) => facade.call(`/api/v1/me/favorites/${id}`, { method: 'PUT', token: 'user' });
    const [created, present] = [await put('lst_1'), await put('lst_2')];
    expect([created.status, created.headers.location]).toEqual([201, '/api/v1/me/favorites/lst_1']);
    expect([present.status, present.headers.location]).toEqual([200, undefined]);
  });

  test('a write returns the members of its result object without the created flag, and escapes its Location', async () => {
    const link = (objectId: string) =>
      facade.call('/api/rest/translation/v1/relations', {
        method: 'POST',
        token: 'admin',
        body: { objectId },
      });
    const created = await link('new');
    expect(created.json).toEqual({ id: 'grp 1', version: 9, detached: ['lst_9'] });
    expect(created.headers.location).toBe('/api/rest/translation/v1/relations?groupId=grp%201');
    expect((await link('old')).status).toBe(200);
  });
});

describe('a path with two forms of responses', () => {
  const translations = '/api/rest/translation/v1/translations';
  const read = (query: string) => facade.call(translations + query, { token: 'admin' });

  test('a write of one record returns the members of its object and a tag', async () => {
    const { json, headers } = await read('?id=trn_1');
    expect(json).toEqual({ id: 'trn_1', version: 4, status: 'active', resolution: 'exact' });
    expect(headers.etag).toMatch(/^"4-/);
  });

  test('a write of a batch returns a list without a tag', async () => {
    const { json, headers } = await read('?objectId=a&objectId=b');
    const data = [{ translation: { id: 'a', status: 'draft' } }, { translation: { id: 'b' } }];
    expect(json).toMatchObject({ data });
    expect(headers.etag).toBeUndefined();
  });
});

test('a public response is cacheable without a token, and with one if the route ignores tokens', async () => {
  const varies = { vary: 'Authorization, Accept-Language' };
  const path = '/api/v1/catalog/listings/lst_1';
  expect((await facade.call(path)).headers).toMatchObject({
    'cache-control': 'public, max-age=60',
    ...varies,
  });
  expect((await get(path)).headers).toMatchObject({ 'cache-control': 'private, no-store', ...varies });
  const { status, headers } = await facade.call('/api/v1/auth/providers', { token: 'rejected' });
  expect([status, headers['cache-control'], headers.vary]).toEqual([200, 'public, max-age=60', undefined]);
});

// The refusals of the token endpoint are in `session/oauthContract.test.ts` of the identity subgraph.
describe('OAuth routes', () => {
  const token = (call: Call) => facade.call('/api/v1/auth/token', { method: 'POST', ...call });
  const form = (body: string, headers: Record<string, string> = {}) =>
    token({ body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } });
  const received = (json: unknown) =>
    JSON.parse((json as { session: { user_agent: string } }).session.user_agent) as unknown;

  test('an OAuth route names members in snake case in both directions and omits null', async () => {
    const { json } = await token({ body: { grant_type: 'password', username: 'a', max_age: 5 } });
    const session = { started_at: '2026', user_agent: expect.any(String) };
    expect(json).toEqual({ access_token: 'at', expires_in: 600, session });
    expect(received(json)).toEqual({ grantType: 'password', username: 'a', maxAge: 5 });
  });

  test('an OAuth route reads a form with typed values and treats an empty value as absent', async () => {
    const { json } = await form('grant_type=urn%3Aa%3Ab&username=&password=p+w%2B&max_age=7');
    expect(received(json)).toEqual({ grantType: 'urn:a:b', password: 'p w+', maxAge: 7 });
  });

  test.each([
    ['a name of the schema', 'grant_type=a&maxAge=1', 'unknown_field'],
    ['a value of another type', 'grant_type=a&max_age=old', 'validation_failed'],
    ['a malformed escape', 'grant_type=%', 'malformed_request'],
  ])('an OAuth route refuses a form with %s', async (_, body, code) => {
    expect((await form(body)).json).toMatchObject({ code });
  });

  test('an OAuth error points at a member by the name under which it was sent', async () => {
    const { json } = await token({ body: { grant_type: 'a', maxAge: 1 } });
    expect(json).toMatchObject({ code: 'unknown_field', errors: [{ pointer: '#/maxAge' }] });
    const refused = await form('grant_type=a&username=nobody');
    expect(refused.json).toMatchObject({
      code: 'invalid_credentials',
      errors: [{ pointer: '#/grant_type' }],
    });
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="ins_shop"');
  });

  test('an OAuth route reads form-encoded Basic credentials and refuses two sets of credentials', async () => {
    const basic = `Basic ${Buffer.from('cli%3A1:s+e').toString('base64')}`;
    const { json } = await form('grant_type=a', { authorization: basic });
    expect(received(json)).toEqual({ grantType: 'a', clientId: 'cli:1', clientSecret: 's e' });
    const headers = { 'content-type': 'application/json', authorization: [basic, basic] };
    const ambiguous = { status: 400, code: 'ambiguous_credentials' };
    expect((await form('grant_type=a&client_id=b', { authorization: basic })).json).toMatchObject(ambiguous);
    expect((await token({ body: { grant_type: 'a' }, headers })).json).toMatchObject(ambiguous);
    const broken = await form('grant_type=a', { authorization: 'Basic !!!' });
    expect(broken.json).toMatchObject({ status: 401, code: 'client_invalid' });
    expect(broken.headers['www-authenticate']).toBe('Basic realm="ins_shop"');
    expect((await form('grant_type=a', { authorization: 'Bearer rejected' })).status).toBe(200);
  });
});

describe('failures', () => {
  beforeEach(() => {
    facade.faults.length = 0;
  });

  test.each<[string, number, string, string | undefined]>([
    ['down', 503, 'unavailable', '1'],
    ['slow', 504, 'upstream_timeout', undefined],
    ['wrong', 502, 'upstream_error', undefined],
    ['busy', 409, 'idempotency_in_progress', '1'],
    ['bug', 500, 'internal_error', undefined],
    ['masked', 500, 'internal_error', undefined],
    ['missing', 404, 'not_found', undefined],
  ])('a failure of the kind "%s" returns %i %s', async (kind, status, code, retryAfter) => {
    const { json, headers } = await get(`/api/v1/trouble/${kind}`);
    expect(json).toMatchObject({ status, code });
    expect(headers['retry-after']).toBe(retryAfter);
    if (status < 500 || status === 503) expect(facade.faults).toEqual([]);
  });

  test('an unexpected failure is logged with the request id and not shown in the response', async () => {
    const requestId = 'my-request.1';
    const { text, json, headers } = await get('/api/v1/trouble/bug', { 'x-request-id': requestId });
    expect(text).not.toMatch(/secret|srv|stack/);
    expect(json).toMatchObject({ requestId, instance: `urn:request:${requestId}` });
    expect(headers['x-request-id']).toBe(requestId);
    const fault = { requestId, path: '/api/v1/trouble/bug', err: expect.any(Error) };
    expect(facade.faults).toMatchObject([fault]);
  });

  test('a failed part is returned as null if the route is partial', async () => {
    const { json, status } = await get('/api/v1/profile?broken=true');
    expect([status, json]).toEqual([200, { name: 'Ada', broken: null }]);
  });
});

test('a request id that could break a header or a log is replaced', async () => {
  const { headers } = await get('/api/v1/me', { 'x-request-id': 'a b"c' });
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});

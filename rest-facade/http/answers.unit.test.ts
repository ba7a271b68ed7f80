import { type Call, type RunningFacade, startFacade } from '../fixture/startFacade.ts';

let facade: RunningFacade;
beforeAll(async () => {
  facade = await startFacade();
});
afterAll(() => facade.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  facade.call(path, { token: 'user', headers });

describe('a single record', () => {
  test('is its bare representation, enum values in lower case, JSON untouched', async () => {
    const { json, headers } = await get('/api/v1/listings/lst_1');
    expect(json).toMatchObject({
      state: 'in_review',
      history: ['draft', 'in_review'],
      attributes: { state: 'ACTIVE', nested: { UPPER: 'KEPT' } },
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  });

  test('carries a strong tag of its version, good for 304', async () => {
    const { headers } = await get('/api/v1/listings/lst_1');
    const etag = headers.etag ?? '';
    expect(etag).toMatch(/^"7-[0-9a-f]{8}"$/);
    for (const known of [etag, `W/${etag}`, `"1-x", ${etag}`, '*']) {
      const again = await get('/api/v1/listings/lst_1', { 'if-none-match': known });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
      expect(again.headers['content-type']).toBeUndefined();
    }
    expect((await get('/api/v1/listings/lst_1', { 'if-none-match': '"7-00000000"' })).status).toBe(200);
  });

  test('may be asked for in a version', async () => {
    expect((await get('/api/v1/listings/lst_1', { 'if-match': '"7-00000000"' })).status).toBe(200);
    expect((await get('/api/v1/listings/lst_1', { 'if-match': '"6-00000000"' })).status).toBe(412);
  });

  test('that does not exist is 404 in words, and another owner’s 403', async () => {
    expect((await get('/api/v1/listings/lst_x')).json).toMatchObject({
      code: 'not_found',
      detail: 'Listing does not exist.',
    });
    expect((await get('/api/v1/listings/lst_foreign')).json).toMatchObject({ code: 'ownership_required' });
  });

  test('HEAD answers like GET without the body', async () => {
    const full = await get('/api/v1/listings/lst_1');
    const head = await facade.call('/api/v1/listings/lst_1', { method: 'HEAD', token: 'user' });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control']) {
      expect(head.headers[name]).toBe(full.headers[name]);
    }
    expect((await facade.call('/api/v1/me', { method: 'HEAD' })).status).toBe(401);
  });

  test('a media type that nobody offers is 406', async () => {
    expect((await get('/api/v1/me', { accept: 'text/csv' })).json).toMatchObject({
      status: 406,
      code: 'not_acceptable',
    });
    for (const accept of [
      '*/*',
      'application/*',
      'text/html, application/json;q=0.1',
      'application/problem+json',
    ]) {
      expect((await get('/api/v1/me', { accept })).status).toBe(200);
    }
  });
});

describe('a collection', () => {
  test('is data, page and meta, with a link to the next page that leads there', async () => {
    const { json, headers } = await get('/api/v1/listings?limit=100&states=draft');
    expect(json).toMatchObject({ page: { nextCursor: '100', limit: 100 }, meta: { totalCount: 250 } });
    expect(headers.link).toBe('</api/v1/listings?limit=100&states=draft&cursor=100>; rel="next"');
    const second = await get('/api/v1/listings?limit=100&states=draft&cursor=100');
    expect(second.headers.link).toBe('</api/v1/listings?limit=100&states=draft&cursor=200>; rel="next"');
    const last = await get('/api/v1/listings?limit=100&cursor=200');
    expect([last.json, last.headers.link]).toMatchObject([
      { page: { nextCursor: null, limit: 100 } },
      undefined,
    ]);
  });

  test('without pages has no page, and members beside the list are meta', async () => {
    const { json, headers } = await facade.call('/api/v1/admin/roles', { token: 'admin' });
    expect(json).toEqual({ data: [{ name: 'support' }], meta: { version: 5 } });
    expect(headers.etag).toMatch(/^"5-/);
  });
});

describe('a record in the language of its reader', () => {
  const path = '/api/v1/catalog/listings/lst_1';

  test('has the texts of that language in place of its own, and names it', async () => {
    const { json, headers } = await get(`${path}?locale=fr`);
    expect(json).toEqual({ id: 'lst_1', state: 'in_review', title: 'Métal noble' });
    expect(headers['content-language']).toBe('fr');
  });

  test('keeps its own where there is none in that language', async () => {
    expect((await get(`${path}?locale=de`)).json).toEqual({
      id: 'lst_1',
      state: 'in_review',
      title: 'Ädelmetall',
    });
  });

  test('is read without asking for texts when no language is stated', async () => {
    const { json, headers } = await get(path);
    expect([json, headers['content-language']]).toEqual([
      { id: 'lst_1', state: 'in_review', title: 'Ädelmetall' },
      undefined,
    ]);
  });

  test('is answered in its own while nobody can translate, but never for a language that is none', async () => {
    expect((await get(`${path}?locale=down`)).json).toEqual({
      id: 'lst_1',
      state: 'in_review',
      title: 'Ädelmetall',
    });
    expect((await get(`${path}?locale=wrong`)).json).toMatchObject({ status: 400, code: 'invalid_language' });
  });

  test('may follow Accept-Language, of which caches are told', async () => {
    const { json, headers } = await get('/api/rest/translation/v1/languages', {
      'accept-language': `fr-CA, en;q=0.5${',xx'.repeat(10_000)}`.slice(0, 4000),
    });
    const wanted = `fr-CA, en;q=0.5${',xx'.repeat(10_000)}`.slice(0, 1001);
    expect(json).toMatchObject({ data: [{ reader: wanted }] });
    expect(headers.vary).toBe('Authorization, Accept-Language');
    const silent = await facade.call('/api/rest/translation/v1/languages');
    expect(silent.json).toMatchObject({ data: [{ reader: null }] });
  });
});

describe('a write', () => {
  test('without an answer is 204 and empty', async () => {
    const reply = await facade.call('/api/v1/listings/lst_1?reason=sold', {
      method: 'DELETE',
      token: 'user',
    });
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([204, '', undefined]);
  });

  test('tells created from already there, and names the place of what it created', async () => {
    const put = (id: string) => facade.call(`/api/v1/me/favorites/${id}`, { method: 'PUT', token: 'user' });
    const created = await put('lst_1');
    expect([created.status, created.headers.location]).toEqual([201, '/api/v1/me/favorites/lst_1']);
    const present = await put('lst_2');
    expect([present.status, present.headers.location]).toEqual([200, undefined]);
  });

  test('lifts the members it states, hides the boolean behind its status, and escapes its place', async () => {
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

  test('carries the tag of the new version', async () => {
    const reply = await facade.call('/api/v1/me', { method: 'PATCH', token: 'user', body: { name: 'B' } });
    expect(reply.headers.etag).toMatch(/^"4-/);
  });

  test('says when it is a repetition', async () => {
    const call: Call = { method: 'POST', token: 'user', body: { amount: 1 } };
    const again = await facade.call('/api/v1/payments', { ...call, headers: { 'idempotency-key': 'again' } });
    expect(again.headers['idempotent-replayed']).toBe('true');
    const first = await facade.call('/api/v1/payments', { ...call, headers: { 'idempotency-key': 'first' } });
    expect(first.headers['idempotent-replayed']).toBeUndefined();
  });
});

describe('one path with two shapes', () => {
  const translations = '/api/rest/translation/v1/translations';

  test('a single answer is lifted and tagged', async () => {
    const { json, headers } = await facade.call(`${translations}?id=trn_1`, { token: 'admin' });
    expect(json).toEqual({ id: 'trn_1', version: 4, status: 'active', resolution: 'exact' });
    expect(headers.etag).toMatch(/^"4-/);
  });

  test('a batch stays a batch', async () => {
    const { json, headers } = await facade.call(`${translations}?objectId=a&objectId=b`, { token: 'admin' });
    expect(json).toMatchObject({
      data: [{ translation: { id: 'a', status: 'draft' } }, { translation: { id: 'b' } }],
    });
    expect(headers.etag).toBeUndefined();
  });
});

describe('caching', () => {
  test('a public answer is cacheable for strangers and private for a caller with a token', async () => {
    const stranger = await facade.call('/api/v1/catalog/listings/lst_1');
    expect(stranger.headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      vary: 'Authorization, Accept-Language',
    });
    const caller = await get('/api/v1/catalog/listings/lst_1');
    expect(caller.headers).toMatchObject({
      'cache-control': 'private, no-store',
      vary: 'Authorization, Accept-Language',
    });
  });

  test('a route that ignores Authorization is public for everybody', async () => {
    const reply = await facade.call('/api/v1/auth/providers', { token: 'rejected' });
    expect([reply.status, reply.headers['cache-control'], reply.headers.vary]).toEqual([
      200,
      'public, max-age=60',
      undefined,
    ]);
  });
});

describe('OAuth', () => {
  const token = (call: Call) => facade.call('/api/v1/auth/token', { method: 'POST', ...call });
  const form = (body: string, headers: Record<string, string> = {}) =>
    token({ body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } });
  const received = (json: unknown) =>
    JSON.parse((json as { session: { user_agent: string } }).session.user_agent) as unknown;

  test('names members in snake case both ways and leaves out what is null', async () => {
    const { json } = await token({ body: { grant_type: 'password', username: 'a', max_age: 5 } });
    expect(json).toEqual({
      access_token: 'at',
      expires_in: 600,
      session: { started_at: '2026', user_agent: expect.any(String) },
    });
    expect(received(json)).toEqual({ grantType: 'password', username: 'a', maxAge: 5 });
  });

  test('reads forms: values by type, an empty one as absent', async () => {
    const { json } = await form('grant_type=urn%3Aa%3Ab&username=&password=p+w%2B&max_age=7');
    expect(received(json)).toEqual({ grantType: 'urn:a:b', password: 'p w+', maxAge: 7 });
  });

  test.each<[string, string, string]>([
    ['an unknown member', 'grant_type=a&nope=1', 'unknown_field'],
    ['a name of the schema', 'grant_type=a&maxAge=1', 'unknown_field'],
    ['a member of another type', 'grant_type=a&max_age=old', 'validation_failed'],
    ['a missing member', 'username=a', 'validation_failed'],
    ['a member twice', 'grant_type=a&grant_type=b', 'malformed_request'],
    ['a broken escape', 'grant_type=%', 'malformed_request'],
    ['more than 16 KiB', `grant_type=${'x'.repeat(17_000)}`, 'payload_too_large'],
  ])('refuses a form with %s', async (_, body, code) => {
    expect((await form(body)).json).toMatchObject({ code });
  });

  test('points at a member as it was sent, even if nobody knows it', async () => {
    const { json } = await token({ body: { grant_type: 'a', maxAge: 1 } });
    expect(json).toMatchObject({ code: 'unknown_field', errors: [{ pointer: '#/maxAge' }] });
  });

  test('binds Basic credentials, decoded as forms are', async () => {
    const basic = `Basic ${Buffer.from('cli%3A1:s+e').toString('base64')}`;
    const { json } = await form('grant_type=a', { authorization: basic });
    expect(received(json)).toEqual({ grantType: 'a', clientId: 'cli:1', clientSecret: 's e' });
    const twice = await form('grant_type=a&client_id=b', { authorization: basic });
    expect(twice.json).toMatchObject({ status: 400, code: 'ambiguous_credentials' });
    const headers = { 'content-type': 'application/json', authorization: [basic, basic] };
    const repeated = await token({ body: { grant_type: 'a' }, headers });
    expect(repeated.json).toMatchObject({ status: 400, code: 'ambiguous_credentials' });
    const broken = await form('grant_type=a', { authorization: 'Basic !!!' });
    expect(broken.json).toMatchObject({ status: 401, code: 'client_invalid' });
    expect(broken.headers['www-authenticate']).toBe('Basic realm="ins_shop"');
  });

  test('names the members of its errors as it names its members', async () => {
    const { json, headers } = await form('grant_type=a&username=nobody');
    expect(json).toMatchObject({ code: 'invalid_credentials', errors: [{ pointer: '#/grant_type' }] });
    expect(headers['www-authenticate']).toBe('Bearer realm="ins_shop"');
  });

  test('does not look at a bearer token', async () => {
    expect((await form('grant_type=a', { authorization: 'Bearer rejected' })).status).toBe(200);
  });
});

describe('failures', () => {
  test.each<[string, number, string, string | undefined]>([
    ['down', 503, 'unavailable', '1'],
    ['slow', 504, 'upstream_timeout', undefined],
    ['wrong', 502, 'upstream_error', undefined],
    ['busy', 409, 'idempotency_in_progress', '1'],
    ['bug', 500, 'internal_error', undefined],
    ['masked', 500, 'internal_error', undefined],
    ['missing', 404, 'not_found', undefined],
  ])('%s is %i %s', async (kind, status, code, retryAfter) => {
    const { json, headers } = await get(`/api/v1/trouble/${kind}`);
    expect(json).toMatchObject({ status, code });
    expect(headers['retry-after']).toBe(retryAfter);
  });

  test('a bug is logged with the request’s id and leaves no trace in the answer', async () => {
    facade.faults.length = 0;
    const { text, json, headers } = await get('/api/v1/trouble/bug', { 'x-request-id': 'my-request.1' });
    expect(text).not.toMatch(/secret|srv|stack/);
    expect(json).toMatchObject({ requestId: 'my-request.1', instance: 'urn:request:my-request.1' });
    expect(headers['x-request-id']).toBe('my-request.1');
    expect(facade.faults).toMatchObject([
      { requestId: 'my-request.1', path: '/api/v1/trouble/bug', err: expect.any(Error) },
    ]);
  });

  test('an expected failure is not logged', async () => {
    facade.faults.length = 0;
    await get('/api/v1/trouble/down');
    await get('/api/v1/listings/lst_x');
    expect(facade.faults).toEqual([]);
  });

  test('a request id that could break a header or a log is replaced', async () => {
    const { headers } = await get('/api/v1/me', { 'x-request-id': 'a b"c' });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a partial answer stands where the route says so, and only there', async () => {
    const { json, status } = await get('/api/v1/profile?broken=true');
    expect([status, json]).toEqual([200, { name: 'Ada', broken: null }]);
  });

  test('every answer tells its rate budget', async () => {
    for (const path of ['/api/v1/me', '/api/v1/listings/lst_x']) {
      expect((await get(path)).headers).toMatchObject({
        ratelimit: '"read";r=299;t=60',
        'ratelimit-policy': '"read";q=300;w=60',
      });
    }
  });
});

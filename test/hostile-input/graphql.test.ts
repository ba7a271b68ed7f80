import { openRefusals } from '../authorization/matrix/openRefusals.ts';
import type { HttpRequest } from '../support/stack/openHttpClient.ts';

const refusals = openRefusals();

describe('the GraphQL endpoint', () => {
  const json = ['content-type', 'application/json'] as const;
  const ask = (query: string, more: object = {}, token = refusals.world.tokenOf('buyer')): HttpRequest => ({
    method: 'POST',
    path: '/graphql',
    token,
    body: { query, ...more },
  });

  test('refuses batches, forms, mutations by GET, invalid bodies, and other methods and media types', async () => {
    const batch = [{ query: '{ me { id } }' }, { query: '{ me { id } }' }];
    const form = ['content-type', 'application/x-www-form-urlencoded'] as const;
    const mutation = encodeURIComponent('mutation { updateMe(input: { displayName: "x" }) { me { id } } }');
    const token = refusals.world.tokenOf('buyer');
    const at = { path: '/graphql', token };
    const rows: [HttpRequest, string][] = [
      [{ ...at, method: 'POST', body: batch }, '400 malformed_request'],
      [{ ...at, method: 'POST', body: 'query={me{id}}', headers: [form] }, '415 unsupported_media_type'],
      [
        { ...at, method: 'POST', body: '{ me { id } }', headers: [['content-type', 'application/graphql']] },
        '415 unsupported_media_type',
      ],
      [
        { ...at, method: 'POST', body: '{ me { id } }', headers: [['content-type', 'text/plain']] },
        '415 unsupported_media_type',
      ],
      [
        {
          ...at,
          method: 'POST',
          body: '{}',
          headers: [['content-type', 'application/json; charset=utf-16']],
        },
        '415 unsupported_media_type',
      ],
      [{ ...at, path: `/graphql?query=${mutation}` }, '405 method_not_allowed'],
      [{ ...at, method: 'PUT', body: { query: '{ me { id } }' } }, '405 method_not_allowed'],
      [{ ...at, method: 'DELETE' }, '405 method_not_allowed'],
      [at, '400 malformed_request'],
      [{ ...at, method: 'POST', body: '{', headers: [json] }, '400 invalid_json'],
      [{ ...at, method: 'POST', body: '', headers: [json] }, '400 malformed_request'],
      [{ ...at, method: 'POST', body: 'null', headers: [json] }, '400 invalid_json'],
      [
        {
          ...at,
          method: 'POST',
          body: Buffer.from('{"query":"{me{id}} #\xff"}', 'latin1'),
          headers: [json],
        },
        '400 invalid_json',
      ],
      [{ ...at, method: 'POST', body: { query: 5 } }, '400 malformed_request'],
      [{ ...at, method: 'POST', body: { query: '{ me { id } }', variables: [] } }, '400 malformed_request'],
      [{ ...at, method: 'POST', body: { query: '{ me { id } }', extensions: 5 } }, '400 malformed_request'],
      [
        { ...at, method: 'POST', body: { query: '{ me { id } }' }, headers: [['accept', 'text/html']] },
        '406 not_acceptable',
      ],
    ];
    const got = [];
    for (const [request, words] of rows)
      got.push([JSON.stringify(request.body ?? request.path), await refusals.watch.words(request), words]);
    expect(got.filter(([, answered, words]) => answered !== words)).toEqual([]);
    const byGet = await refusals.watch.refuse({ path: `/graphql?query=${mutation}`, token });
    expect(byGet.answer.headers.allow).toBe('POST');
  });

  test('refuses documents with excessive depth, aliases, tokens, fragments, directives or lists within 1.5 s', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => index);
    const floods: Record<string, HttpRequest> = {
      depth: ask(
        `{ listing(listingId: "x") ${'{ relationGroup { source { object { ... on Listing '.repeat(8)}{ id }${' } } } }'.repeat(8)} }`,
      ),
      'depth in fragments': ask(
        `{ listing(listingId: "x") { ...f0 } } ${names(9)
          .map(
            (index) =>
              `fragment f${index} on Listing { relationGroup { source { object { ...f${index + 1} } } } }`,
          )
          .join(' ')} fragment f9 on Listing { id }`,
      ),
      aliases: ask(
        `{ ${names(31)
          .map((index) => `a${index}: me { id }`)
          .join(' ')} }`,
      ),
      'aliases below': ask(
        `{ me { ${names(500)
          .map((index) => `a${index}: id`)
          .join(' ')} } }`,
      ),
      'root fields': ask(`{ ${'me { id } '.repeat(21)} }`),
      tokens: ask(`{ me { ${'id '.repeat(3000)} } }`),
      'tokens in a megabyte': ask(`{ me { ${'id,'.repeat(300_000)} } }`),
      'a comment of a megabyte': ask(`#${'x'.repeat(900_000)}`),
      'fragments that double': ask(
        `{ me { ...f0 } } ${names(25)
          .map((index) => `fragment f${index} on Me { ...f${index + 1} ...f${index + 1} }`)
          .join(' ')} fragment f25 on Me { id }`,
      ),
      'fragments in a circle': ask('{ me { ...a } } fragment a on Me { ...b } fragment b on Me { ...a }'),
      directives: ask(`{ me ${'@skip(if: false) '.repeat(60)} { id } }`),
      'unknown directives': ask(`{ me ${'@a '.repeat(500)} { id } }`),
      'open brackets': ask('{'.repeat(1500)),
      'a deep literal': ask(`{ listings(q: ${'['.repeat(900)}${']'.repeat(900)}) { nodes { id } } }`),
      'a long list': ask(
        'query ($o: [ObjectRefInput!]!) { resolveTranslations(objects: $o, language: "fr") { reason } }',
        {
          variables: { o: names(1001).map((index) => ({ type: 'LISTING', id: `x${index}` })) },
        },
      ),
      'a deep variable': ask('query ($a: SeoAnalysisInput!) { seoAnalyze(input: $a) { inputHash } }', {
        variables: { a: { content: 'x', schema: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) } },
      }),
      'a page of 100,000 nodes': ask('{ listings(first: 100000) { nodes { id } } }'),
      'a negative page': ask('{ listings(first: -1) { nodes { id } } }'),
      'introspection in a circle': ask(
        `{ __schema { types { ${'fields { type { '.repeat(12)} name ${'} } '.repeat(12)} } } }`,
      ),
      'a subscription': ask('subscription { me { id } }'),
      'two operations': ask('query a { me { id } } query b { me { id } }'),
      'an unknown operation name': ask('query a { me { id } }', { operationName: 'b' }),
      'a variable that is missing': ask('query ($id: ID!) { listing(listingId: $id) { id } }'),
      'a hidden field': ask('{ listing(listingId: "x") { viewerCanRead } }'),
      'a field of the federation': ask('{ _entities(representations: []) { __typename } }'),
      'the schema of a subgraph': ask('{ _service { sdl } }'),
    };
    const slow: string[] = [];
    for (const [what, request] of Object.entries(floods)) {
      const begun = performance.now();
      const { code } = await refusals.watch.refuse(request);
      const elapsedMs = performance.now() - begun;
      if (elapsedMs > 1500) slow.push(`${what}: ${Math.round(elapsedMs)} ms`);
      expect([what, code]).toEqual([
        what,
        expect.stringMatching(/^(GRAPHQL_|BAD_USER_INPUT|OPERATION|invalid_json|malformed)/),
      ]);
    }
    expect(slow).toEqual([]);
  });

  test('merges 300 selections of one field within 1.5 s', async () => {
    const begun = performance.now();
    const twice = await refusals.world.app.send(ask(`{ me { ${'installation { id name } '.repeat(300)} } }`));
    expect(twice.json.data.me).toEqual({ installation: { id: 'ins_demo', name: 'demo' } });
    expect(performance.now() - begun).toBeLessThan(1500);
  });

  test('returns the public schema by introspection, without guards and federation types', async () => {
    const query = '{ __schema { types { name fields { name } } directives { name } } }';
    const { status, text, json } = await refusals.world.app.send(ask(query));
    expect(status).toBe(200);
    expect(text).toContain('"CatalogListing"');
    for (const hidden of ['viewerCanRead', 'ObjectContent', '_entities', '_Any', 'join__Graph'])
      expect(text).not.toContain(`"${hidden}"`);
    const directives = json.data.__schema.directives.map(({ name }: { name: string }) => name);
    expect(directives.sort()).toEqual(['deprecated', 'include', 'oneOf', 'skip', 'specifiedBy']);
  });

  test('suggests a field name if introspection is on', async () => {
    const { answer } = await refusals.watch.refuse(ask('{ mee { id } }'));
    expect(answer.json.errors[0].message).toBe(
      'Cannot query field "mee" on type "Query". Did you mean "me"?',
    );
  });

  test('returns only public fields to a caller without a token, and 401 if there are none', async () => {
    const stranger = (query: string) => ({ method: 'POST', path: '/graphql', body: { query } });
    const refused = await refusals.watch.refuse(stranger('{ me { id } listings { nodes { id } } }'));
    expect([refused.answer.status, refused.code]).toEqual([401, 'token_missing']);
    const mixed = await refusals.world.app.send(stranger('{ me { id } defaultLanguage { code } }'));
    expect(mixed).toMatchObject({
      status: 200,
      json: { data: { me: null, defaultLanguage: { code: 'en' } } },
    });
  });
});

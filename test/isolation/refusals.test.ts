import { createHmac, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildSchema } from 'graphql';
import type { Route } from '../../schema/route/Route.ts';
import { readTraits } from '../../schema/route/readTraits.ts';
import { currentSigningKey } from '../../subgraphs/identity/signing-key/currentSigningKey.ts';
import type { HttpRequest } from '../support/openHttpClient.ts';
import { changedCollections, digestCollections } from './digestCollections.ts';
import { type Forgery, strangeKey, takeApart, toSegment } from './forgeries.ts';
import { leafInputsOf, withValue } from './leafInputs.ts';
import type { Operation } from './Operation.ts';
import { openWorld, type World } from './openWorld.ts';
import type { Who } from './people.ts';
import { definitionOf, documentOf } from './runMatrix.ts';
import {
  documentedQueryParameters,
  targetOf,
  type ValidCall,
  type ValidRequest,
  validCalls,
  validRequests,
} from './validCalls.ts';
import { type Watch, watchRefusals } from './watchRefusals.ts';

const supergraph = buildSchema(
  readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8'),
  { assumeValidSDL: true },
);
const restRoot = '/api/rest';
const translation = `${restRoot}/translation/v1`;
let world: World;
let watch: Watch;
let before: ReadonlyMap<string, string>;
let requests: ValidRequest[];
let calls: ValidCall[];

beforeAll(async () => {
  world = await openWorld();
  watch = watchRefusals(world);
  [requests, calls] = [await validRequests(world), await validCalls(world)];
  before = await digestCollections();
}, 60_000);
afterAll(async () => {
  process.stderr.write(`refused inputs: ${watch.count}\n`);
  await world.app.close();
});

/** One of each: a private, a public and a GraphQL way in. */
const channels: readonly HttpRequest[] = [
  { path: '/api/v1/me' },
  { path: '/api/v1/catalog/listings' },
  { path: '/api/v1/openapi.json' },
  { method: 'POST', path: `${restRoot}/seo-tools/v1/analysis`, body: { content: 'x' } },
  { path: `${translation}/languages` },
  { method: 'POST', path: '/graphql', body: { query: '{ defaultLanguage { code } }' } },
];

describe('a token', () => {
  let forgery: Forgery;
  let forged: Record<string, string>;
  beforeAll(async () => {
    forgery = await takeApart(world.tokenOf('administrator') ?? '', world.app.stack);
    forged = await forge(forgery, world);
  });

  test('is refused on every channel, whatever is wrong with it', async () => {
    const accepted: string[] = [];
    for (const [what, token] of Object.entries(forged)) {
      for (const channel of channels) {
        const { status, answer } = await watch.refuse({ ...channel, token });
        const isChallenged = /error="invalid_token"/.test(String(answer.headers['www-authenticate']));
        if (status !== 401 || !isChallenged) accepted.push(`${what} at ${channel.path}: ${status}`);
      }
    }
    expect(accepted).toEqual([]);
    expect(Object.keys(forged).length).toBeGreaterThan(25);
  });

  test('that is genuine is taken, so that it is the forgery that is refused', async () => {
    const genuine = [forgery.genuine, forgery.token({})];
    for (const token of genuine)
      for (const channel of channels) expect((await world.app.send({ ...channel, token })).status).toBe(200);
  });

  test('of another installation is 403 here, and good there', async () => {
    const token = world.tokenOf('foreigner') ?? '';
    for (const channel of channels) {
      expect(await watch.words({ ...channel, token })).toBe('403 installation_mismatch');
      expect((await world.app.send({ ...channel, token, host: 'other.localhost' })).status).toBe(200);
    }
  });

  test('gives no right that the database does not: roles in it are a hint', async () => {
    const buyer = await takeApart(world.tokenOf('buyer') ?? '', world.app.stack);
    const promoted = buyer.token({
      payload: {
        ...buyer.payload,
        roles: ['installation_admin'],
        scope: 'user seo:admin translations:manage',
      },
    });
    const all = { path: `${translation}/languages?scope=all`, token: promoted };
    expect(await watch.words(all)).toBe('403 permission_required');
    const me = await world.app.send({ path: '/api/v1/me', token: promoted });
    expect(me.json).toMatchObject({ roles: ['buyer'], permissions: [] });
  });

  test('is read from one Authorization header and from nowhere else', async () => {
    const token = forgery.genuine;
    for (const channel of channels) {
      const twice = [`Bearer ${token}`, `Bearer ${token}`].map((value) => ['authorization', value] as const);
      expect(await watch.words({ ...channel, headers: twice })).toBe('400 ambiguous_credentials');
    }
    const elsewhere: HttpRequest[] = [
      { path: `/api/v1/me?access_token=${token}` },
      { path: '/api/v1/me', headers: [['cookie', `access_token=${token}; token=${token}`]] },
      { path: '/api/v1/me', headers: [['x-access-token', token]] },
      { path: '/api/v1/me', headers: [['proxy-authorization', `Bearer ${token}`]] },
      { path: '/api/v1/me', headers: [['authorization', `Basic ${btoa(`x:${token}`)}`]] },
      { path: '/api/v1/me', headers: [['authorization', token]] },
      { method: 'PATCH', path: '/api/v1/me', body: { access_token: token, displayName: 'x' } },
      { method: 'POST', path: '/graphql', body: { query: '{ me { id } }', token, access_token: token } },
    ];
    for (const request of elsewhere) expect(await watch.words(request)).toBe('401 token_missing');
    for (const value of [
      `Bearer ${token} ${token}`,
      `Bearer ${token},${token}`,
      'Bearer',
      'Bearer  ',
      'Bearer x',
    ])
      expect((await watch.refuse({ path: '/api/v1/me', headers: [['authorization', value]] })).status).toBe(
        401,
      );
  });

  test('counts for nothing where the path proves itself in another way', async () => {
    for (const token of [forged['no signature'], forged.expired, world.tokenOf('foreigner')])
      for (const path of ['/api/v1/auth/jwks', '/.well-known/jwks.json', '/api/v1/health', '/health/live'])
        expect((await world.app.send({ path, token })).status).toBe(200);
  });

  test('and the signed context of a router from outside changes nothing', async () => {
    const headers = [
      ['trigate-context', `${toSegment({ installationId: 'ins_other', depth: 0 })}.x`],
      ['x-forwarded-host', 'other.localhost'],
      ['x-installation-id', 'ins_other'],
      ['forwarded', 'host=other.localhost'],
    ] as const;
    const { json } = await world.app.send({ path: '/api/v1/me', token: forgery.genuine, headers });
    expect(json.installation.id).toBe('ins_demo');
  });
});

describe('a host', () => {
  test.each(['nowhere.test', '', 'demo.localhost.evil.test', 'demo.localhost@evil.test', '[::1', 'ins_demo'])(
    '"%s" that belongs to no installation is 404 at every way in',
    async (host) => {
      for (const path of ['/api/v1/me', '/api/v1/catalog/listings', '/graphql?query={me{id}}']) {
        const { status, headers, text } = await world.app.send({ path, host });
        expect([path, status]).toEqual([path, 404]);
        expect(headers['x-request-id']).toBeTruthy();
        expect(text).toContain('not_found');
        expect(text).not.toMatch(/node_modules|\.ts/);
      }
    },
  );
});

describe("a record of somebody else's", () => {
  test('is refused in the same words to be read and to be written', async () => {
    const path = `/api/v1/listings/${world.items.garage.id}`;
    const token = world.tokenOf('rival');
    const texts = [];
    for (const request of [
      { path },
      { method: 'PATCH', path, body: { title: 'Mine now' } },
      { method: 'POST', path: `${path}/publish` },
    ]) {
      const { code, answer } = await watch.refuse({ ...request, token });
      expect(code).toBe('ownership_required');
      texts.push(answer.text.replaceAll(answer.headers['x-request-id'] as string, ''));
    }
    expect(new Set(texts).size).toBe(1);
  });
});

describe('a body', () => {
  const writing = () => requests.filter(({ request }) => request.body !== undefined);
  const json = ['content-type', 'application/json'] as const;

  test('of any route is refused for what is no JSON of its shape', async () => {
    const faults: string[] = [];
    const deep = `${'{"a":'.repeat(25)}1${'}'.repeat(25)}`;
    const rows: [string, string | Buffer, string, string?][] = [
      ['half an object', '{', '400 invalid_json'],
      ['two values', '{} {}', '400 invalid_json'],
      ['a trailing comma', '{"a":1,}', '400 invalid_json'],
      ['a comment', '{/* */}', '400 invalid_json'],
      ['NaN', '{"a":NaN}', '400 invalid_json'],
      ['a member twice', '{"a":1,"a":2}', '400 invalid_json'],
      ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), '400 invalid_json'],
      ['a lone surrogate in bytes', Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1'), '400 invalid_json'],
      ['too deep', deep, '400 invalid_json'],
      ['a list', '[]', '422 validation_failed', '#'],
      ['a text', '"x"', '422 validation_failed', '#'],
      ['null', 'null', '422 validation_failed', '#'],
      ['a number', '1e400', '422 validation_failed', '#'],
    ];
    for (const { request } of writing()) {
      for (const [what, body, words, pointer] of rows) {
        const refusal = await watch.refuse({ ...request, body, headers: [...(request.headers ?? []), json] });
        const got = `${refusal.status} ${refusal.code}`;
        if (got !== words || (pointer && refusal.pointer !== pointer))
          faults.push(`${request.method} ${request.path} ${what}: ${got} ${refusal.pointer}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('of any route is refused with a pointer to the member that it does not know', async () => {
    const faults: string[] = [];
    const names = ['wings', '__proto__', 'constructor', '$where', 'installationId', 'a.b', 'a/b~c'];
    for (const { request } of writing()) {
      for (const name of names) {
        const members = JSON.stringify(request.body).slice(1);
        const body = `{${JSON.stringify(name)}:{"x":1}${members === '}' ? '' : ','}${members}`;
        const { status, code, pointer } = await watch.refuse({
          ...request,
          body,
          headers: [...(request.headers ?? []), json],
        });
        const wanted = `#/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
        if (status !== 422 || code !== 'unknown_field' || pointer !== wanted)
          faults.push(`${request.method} ${request.path} ${name}: ${status} ${code} ${pointer}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('of another media type is 415, whatever it holds', async () => {
    const faults: string[] = [];
    for (const { request } of writing()) {
      for (const type of [
        'text/plain',
        'application/xml',
        'application/json; charset=latin1',
        'multipart/form-data',
        ';',
      ]) {
        const words = await watch.words({
          ...request,
          body: '{',
          headers: [...(request.headers ?? []), ['content-type', type]],
        });
        if (words !== '415 unsupported_media_type')
          faults.push(`${request.method} ${request.path} ${type}: ${words}`);
      }
      const none = await watch.words({ ...request, body: '{}', headers: request.headers ?? [] });
      if (none !== '415 unsupported_media_type')
        faults.push(`${request.method} ${request.path} none: ${none}`);
      const packed = await watch.words({
        ...request,
        body: '{}',
        headers: [...(request.headers ?? []), json, ['content-encoding', 'br']],
      });
      if (packed !== '415 unsupported_media_type')
        faults.push(`${request.method} ${request.path} br: ${packed}`);
    }
    expect(faults).toEqual([]);
  });

  test('that is too large is 413: announced, chunked or packed', async () => {
    const faults: string[] = [];
    /** More than any limit of JSON, or more than the route's own. */
    const tooMuchFor = ({ kind, operationName }: Route) => {
      const root = kind === 'query' ? supergraph.getQueryType() : supergraph.getMutationType();
      const field = root?.getFields()[operationName];
      const { bodyBytes = 0 } = field ? readTraits(field) : {};
      return Buffer.alloc(Math.max(1_100_000, bodyBytes + 1), 0x20);
    };
    const bomb = gzipSync(Buffer.alloc(20_000_000, 0x20));
    const chunked = ['transfer-encoding', 'chunked'] as const;
    const all: [HttpRequest, Buffer][] = [
      ...writing().map(({ request, route }) => [request, tooMuchFor(route)] as [HttpRequest, Buffer]),
      [{ method: 'POST', path: '/graphql', token: world.tokenOf('buyer') }, Buffer.alloc(1_100_000, 0x20)],
    ];
    for (const [request, large] of all) {
      const tries: HttpRequest[] = [
        { ...request, body: large, headers: [...(request.headers ?? []), json] },
        { ...request, body: large, headers: [...(request.headers ?? []), json, chunked] },
        { ...request, body: bomb, headers: [...(request.headers ?? []), json, ['content-encoding', 'gzip']] },
      ];
      for (const [index, sent] of tries.entries()) {
        const words = await watch.words(sent);
        if (words !== '413 payload_too_large')
          faults.push(`${request.method} ${request.path} ${index}: ${words}`);
      }
      const broken = await watch.refuse({
        ...request,
        body: 'no gzip',
        headers: [...(request.headers ?? []), json, ['content-encoding', 'gzip']],
      });
      if (broken.status !== 400) faults.push(`${request.method} ${request.path} broken: ${broken.status}`);
    }
    expect(faults).toEqual([]);
  });

  test('is not looked at before the caller: nobody learns of fields by guessing', async () => {
    const faults: string[] = [];
    for (const { request, operation } of writing()) {
      if (operation.rule.kind === 'public') continue;
      const refused: [Who, string][] = [
        ['stranger', '401 token_missing'],
        ['signedOut', '401 session_revoked'],
        ['foreigner', '403 installation_mismatch'],
        ...(isOpenToSuspended(operation) ? [] : [['suspended', '403 account_suspended'] as [Who, string]]),
        ...(operation.rule.kind === 'holds' ? [['buyer', '403 permission_required'] as [Who, string]] : []),
      ];
      for (const [who, words] of refused) {
        for (const body of ['{', '{"wings":1}', 'x'.repeat(300_000)]) {
          const headers = [['content-type', 'text/plain']] as const;
          const got = await watch.words({ ...request, token: world.tokenOf(who), body, headers });
          if (got !== words) faults.push(`${request.method} ${request.path} ${who}: ${got}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });
});

const isOpenToSuspended = ({ rule }: Operation): boolean =>
  rule.kind === 'signed in' && rule.alsoIn?.includes('suspended') === true;

describe('an operator in the place of a value', () => {
  const operators: readonly object[] = [
    { $ne: null },
    { $gt: '' },
    { $where: '1' },
    { __proto__: null, toString: 1 },
  ];

  test('is 422 at every member of every body', async () => {
    const faults: string[] = [];
    let tried = 0;
    for (const { request, route, operation } of requests) {
      const input = definitionOf(operation.field).args.find(({ name }) => name === 'input');
      if (!input || typeof request.body !== 'object') continue;
      const restName = (name: string) =>
        route.snakeCase ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
      for (const leaf of leafInputsOf(input.type).filter(({ isJson }) => !isJson)) {
        const named = {
          ...leaf,
          path: leaf.path.map(restName),
          beside: leaf.beside.map(([at, sample]) => [at.map(restName), sample] as const),
        };
        const pointer = `#/${named.path.join('/')}`;
        const rows: [unknown, string][] = [
          ...operators.map((operator): [unknown, string] => [operator, pointer]),
          [[{ $ne: 1 }], leaf.isList ? `${pointer}/0` : pointer],
          ...(leaf.isList ? [] : [[['x'], pointer] as [unknown, string]]),
        ];
        for (const [operator, wanted] of rows) {
          tried += 1;
          const { status, answer } = await watch.refuse({
            ...request,
            body: withValue(request.body, named, operator),
          });
          const pointers = answer.json.errors?.map((error: { pointer: string }) => error.pointer) ?? [];
          // What stands in the path or a header is no member; its parent need not be one either.
          const isNamed = pointers.some((one: string) => wanted === one || wanted.startsWith(`${one}/`));
          if (status !== 422 || !isNamed)
            faults.push(`${request.method} ${request.path} ${wanted}: ${status} ${pointers.join()}`);
        }
      }
    }
    expect(faults).toEqual([]);
    expect(tried).toBeGreaterThan(500);
  });

  test('is refused at every argument of every operation', async () => {
    const faults: string[] = [];
    let tried = 0;
    for (const { operation, call, who } of calls) {
      const token = call.token ?? world.tokenOf(who);
      for (const argument of definitionOf(operation.field).args) {
        for (const leaf of leafInputsOf(argument.type, [argument.name]).filter(({ isJson }) => !isJson)) {
          for (const operator of [...operators, [{ $ne: 1 }], ...(leaf.isList ? [] : [['x']])]) {
            tried += 1;
            const variables = withValue(call.variables, leaf, operator);
            const query = documentOf(operation, variables);
            const request = { token, body: { query, variables } };
            const { code } = operation.field.startsWith('Subscription.')
              ? await watch.refuseStream(request)
              : await watch.refuse({ method: 'POST', path: '/graphql', ...request });
            if (code !== 'BAD_USER_INPUT') faults.push(`${operation.field} ${leaf.path.join('.')}: ${code}`);
          }
        }
      }
    }
    expect(faults).toEqual([]);
    expect(tried).toBeGreaterThan(1000);
  }, 120_000);

  test('and a prototype in variables reaches nothing', async () => {
    const token = world.tokenOf('buyer');
    const body = `{"query":"query($listingId: ID!) { listing(listingId: $listingId) { id } }","variables":{"listingId":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}`;
    await world.app.send({
      method: 'POST',
      path: '/graphql',
      token,
      body,
      headers: [['content-type', 'application/json']],
    });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('an address', () => {
  test('with an unknown, repeated or bracketed parameter, or a bad escape, is 400', async () => {
    const faults: string[] = [];
    const parameters = documentedQueryParameters(requests);
    expect(parameters.length).toBeGreaterThan(30);
    for (const { valid, name, repeats } of parameters) {
      const { method } = valid.request;
      const [target = '', search = ''] = valid.request.path.split('?');
      // Without what the route needs it would be refused for that.
      const others = search.split('&').filter((part) => part !== '' && !part.startsWith(`${name}=`));
      const rows: [string, string][] = [
        [`${name}[$ne]=x`, '400 unsupported_parameter'],
        [`${name}%5B%24ne%5D=x`, '400 unsupported_parameter'],
        [`${name}[]=x`, '400 unsupported_parameter'],
        [`${name}=%ff`, '400 malformed_request'],
        [`${name}=%`, '400 malformed_request'],
        [`${name}=%zz`, '400 malformed_request'],
        [`%ff=${name}`, '400 malformed_request'],
        [`__proto__=${name}`, '400 unsupported_parameter'],
        [`${name.toUpperCase()}X=1`, '400 unsupported_parameter'],
        ...(repeats ? [] : [[`${name}=1&${name}=1`, '400 unsupported_parameter'] as [string, string]]),
      ];
      for (const [wrong, words] of rows) {
        const query = [...others, wrong].join('&');
        const got = await watch.words({
          ...valid.request,
          path: `${target}?${query}`,
          body: valid.request.body,
        });
        if (got !== words) faults.push(`${method} ${target}?${query}: ${got}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('whose parameter is no id of ours is 404, and 400 if it is no text', async () => {
    const faults: string[] = [];
    const rows: [string, string][] = [
      ['%ff', '400 malformed_request'],
      ['%', '400 malformed_request'],
      ['%zz', '400 malformed_request'],
      ['%00', '404'],
      ['__proto__', '404'],
      ['[$ne]', '404'],
      ['%7B%22%24ne%22%3A1%7D', '404'],
      ['..%2f..%2fme', '404'],
      ['%2e%2e', '404'],
      ['x'.repeat(5000), '404'],
      ['lst_01M7WRZ5A270TG2CMK197HXZ0Y%00', '404'],
    ];
    for (const { route, request, call } of requests) {
      // A type is one of a few words: 400 for any other.
      const parameter = route.pathParameters.find((name) => name !== 'type');
      if (!parameter) continue;
      const template = route.path.replace(`{${parameter}}`, '<value>');
      for (const [value, words] of rows) {
        const path = targetOf(template, call.path ?? {}).replace('<value>', value);
        const got = await watch.words({ ...request, path });
        if (!got.startsWith(words)) faults.push(`${request.method} ${path.slice(0, 80)}: ${got}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('of more than 8 KiB is 414, and one of none of the interfaces 404', async () => {
    expect(await watch.words({ path: `/api/v1/me?${'x'.repeat(9000)}` })).toBe('414 uri_too_long');
    for (const path of [
      '/nope',
      '/api',
      '/api/v2/me',
      '//',
      '/..%2f',
      '/%',
      '/api/rest',
      '/api/rest/other/v1/x',
    ])
      expect([path, await watch.words({ path })]).toEqual([path, '404 route_not_found']);
  });

  test.each(['strings', 'suggestions', 'import', 'export', 'status'])(
    'C has no /%s: 404 for every method, with and without a token, and below',
    async (name) => {
      const tokens = [undefined, world.tokenOf('administrator'), 'nonsense', world.tokenOf('foreigner')];
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])
        for (const token of tokens)
          for (const tail of ['', '/', '/1', '?x=1'])
            expect(
              (await watch.refuse({ method, path: `${translation}/${name}${tail}`, token })).status,
            ).toBe(404);
    },
  );

  test('is asked by its methods alone: 405 with Allow, and to strangers of A nothing but 401', async () => {
    const faults: string[] = [];
    const places = Map.groupBy(requests, ({ route }) => targetOfRoute(route.path));
    for (const [path, mounted] of places) {
      const allowed = mounted.map(({ route }) => route.method as string);
      const isOfA = mounted[0]?.route.interface === 'A';
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'MKCOL']) {
        if (allowed.includes(method)) continue;
        const { status, answer } = await watch.refuse({ method, path, token: world.tokenOf('buyer') });
        const named = String(answer.headers.allow).split(', ');
        if (status !== 405 || allowed.some((one) => !named.includes(one)) || named.includes(method))
          faults.push(`${method} ${path}: ${status} ${named.join()}`);
        const stranger = await watch.refuse({ method, path });
        if (stranger.status !== (isOfA ? 401 : 405))
          faults.push(`stranger ${method} ${path}: ${stranger.status}`);
        const overridden = [['x-http-method-override', allowed[0] ?? '']] as const;
        if ((await watch.refuse({ method, path, headers: overridden })).status !== stranger.status)
          faults.push(`${method} ${path} is overridden by a header`);
      }
    }
    expect(faults).toEqual([]);
  });
});

describe('GraphQL', () => {
  const json = ['content-type', 'application/json'] as const;
  const ask = (query: string, more: object = {}, token = world.tokenOf('buyer')): HttpRequest => ({
    method: 'POST',
    path: '/graphql',
    token,
    body: { query, ...more },
  });

  test('is JSON by POST: no batch, no form, no mutation by GET, no other method', async () => {
    const batch = [{ query: '{ me { id } }' }, { query: '{ me { id } }' }];
    const form = ['content-type', 'application/x-www-form-urlencoded'] as const;
    const mutation = encodeURIComponent('mutation { updateMe(input: { displayName: "x" }) { me { id } } }');
    const token = world.tokenOf('buyer');
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
      got.push([JSON.stringify(request.body ?? request.path), await watch.words(request), words]);
    expect(got.filter(([, answered, words]) => answered !== words)).toEqual([]);
    const byGet = await watch.refuse({ path: `/graphql?query=${mutation}`, token });
    expect(byGet.answer.headers.allow).toBe('POST');
  });

  test('refuses floods at once: depth, aliases, tokens, root fields, fragments, directives, lists', async () => {
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
      'a megabyte of nothing': ask(`#${'x'.repeat(900_000)}`),
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
      'a page of everything': ask('{ listings(first: 100000) { nodes { id } } }'),
      'a negative page': ask('{ listings(first: -1) { nodes { id } } }'),
      'introspection in a circle': ask(
        `{ __schema { types { ${'fields { type { '.repeat(12)} name ${'} } '.repeat(12)} } } }`,
      ),
      'a subscription': ask('subscription { me { id } }'),
      'two operations': ask('query a { me { id } } query b { me { id } }'),
      'an operation that is not there': ask('query a { me { id } }', { operationName: 'b' }),
      'a variable that is missing': ask('query ($id: ID!) { listing(listingId: $id) { id } }'),
      'a hidden field': ask('{ listing(listingId: "x") { viewerCanRead } }'),
      'federation itself': ask('{ _entities(representations: []) { __typename } }'),
      'the schema of a subgraph': ask('{ _service { sdl } }'),
    };
    const slow: string[] = [];
    for (const [what, request] of Object.entries(floods)) {
      const begun = performance.now();
      const { code } = await watch.refuse(request);
      const elapsedMs = performance.now() - begun;
      if (elapsedMs > 1500) slow.push(`${what}: ${Math.round(elapsedMs)} ms`);
      expect([what, code]).toEqual([
        what,
        expect.stringMatching(/^(GRAPHQL_|BAD_USER_INPUT|OPERATION|QUERY_PLAN|malformed)/),
      ]);
    }
    expect(slow).toEqual([]);
  });

  test('merges what is asked for twice without working twice', async () => {
    const begun = performance.now();
    const twice = await world.app.send(ask(`{ me { ${'installation { id name } '.repeat(300)} } }`));
    expect(twice.json.data.me).toEqual({ installation: { id: 'ins_demo', name: 'demo' } });
    expect(performance.now() - begun).toBeLessThan(1500);
  });

  test('shows its public schema to those who ask, and nothing of guards and machinery', async () => {
    const query = '{ __schema { types { name fields { name } } directives { name } } }';
    const { status, text, json } = await world.app.send(ask(query));
    expect(status).toBe(200);
    expect(text).toContain('"CatalogListing"');
    for (const hidden of ['viewerCanRead', 'ObjectContent', '_entities', '_Any', 'join__Graph'])
      expect(text).not.toContain(`"${hidden}"`);
    const directives = json.data.__schema.directives.map(({ name }: { name: string }) => name);
    expect(directives.sort()).toEqual(['deprecated', 'include', 'oneOf', 'skip', 'specifiedBy']);
  });

  test('answers nothing for a stranger but what is public, and says 401 when that is nothing', async () => {
    const stranger = (query: string) => ({ method: 'POST', path: '/graphql', body: { query } });
    const refused = await watch.refuse(stranger('{ me { id } listings { nodes { id } } }'));
    expect([refused.answer.status, refused.code]).toEqual([401, 'token_missing']);
    const mixed = await world.app.send(stranger('{ me { id } defaultLanguage { code } }'));
    expect(mixed).toMatchObject({
      status: 200,
      json: { data: { me: null, defaultLanguage: { code: 'en' } } },
    });
  });
});

test('nothing of all this was written', async () => {
  expect(changedCollections(before, await digestCollections())).toEqual([]);
});

/** Every kind of token that nobody issued. */
async function forge(forgery: Forgery, { app, ids, tokenOf }: World): Promise<Record<string, string>> {
  const { genuine, header, payload, token } = forgery;
  const [head = '', middle = '', signature = ''] = genuine.split('.');
  const now = Math.floor(Date.now() / 1000);
  const { privateKey } = await currentSigningKey(app.stack.platform.secrets);
  const publicPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' });
  const hmac = (input: string) => createHmac('sha256', publicPem).update(input).digest();
  const other = await takeApart(tokenOf('buyer') ?? '', app.stack);
  const claims = (members: object) => token({ payload: { ...payload, ...members } });
  const headed = (members: object) => token({ header: { ...header, ...members } });
  const without = (name: string) => token({ payload: omit(payload, name) });
  return {
    'no signature': `${head}.${middle}.`,
    'no algorithm': token({ header: { ...header, alg: 'none' }, signer: () => Buffer.alloc(0) }),
    'a public key as a secret': token({ header: { ...header, alg: 'HS256' }, signer: hmac }),
    'a strange key': token({ signer: (input) => forgery.es256(input, strangeKey()) }),
    'a key that nobody has': headed({ kid: 'nobody' }),
    'zeros for a signature': token({ signer: () => Buffer.alloc(64) }),
    'claims of somebody else': `${head}.${toSegment(other.payload)}.${signature}`,
    'claims with another member': `${head}.${toSegment({ ...payload, x: 1 })}.${signature}`,
    'a key by address': headed({ jku: 'http://127.0.0.1:1/keys' }),
    'a key in the header': headed({ jwk: { kty: 'oct', k: 'x' } }),
    'a critical extension': headed({ crit: ['exp'] }),
    'another type': headed({ typ: 'JWT' }),
    expired: claims({ iat: now - 3600, nbf: now - 3600, exp: now - 3000 }),
    'not yet valid': claims({ iat: now + 3600, nbf: now + 3600, exp: now + 4200 }),
    'valid for a year': claims({ exp: now + 365 * 86_400 }),
    'no end': without('exp'),
    'no session': without('sid'),
    'no installation': without('installation'),
    'another issuer': claims({ iss: 'http://issuer.evil' }),
    'another audience': claims({ aud: 'http://demo.localhost' }),
    'several audiences': claims({ aud: [payload.aud, 'x'] }),
    'another installation than its audience': claims({ installation: 'ins_other' }),
    'an installation that is none': claims({ installation: 'ins_none' }),
    'an operator for a subject': claims({ sub: { $ne: null } }),
    'an operator for a session': claims({ sid: { $gt: '' } }),
    "somebody else's session": claims({ sub: ids.buyer }),
    'a session that never was': claims({ sid: String(payload.sid).replace(/.{6}$/, '000000') }),
    'a text for a time': claims({ exp: String(now + 600) }),
    padding: `${genuine}=`,
    'a space': `${head} .${middle}.${signature}`,
    'five segments': `${genuine}.a.b`,
    'nine kilobytes': `${head}.${middle}${'A'.repeat(9000)}.${signature}`,
  };
}

function omit(members: object, name: string): object {
  return Object.fromEntries(Object.entries(members).filter(([key]) => key !== name));
}

/** A route's path with something for every parameter. */
function targetOfRoute(path: string): string {
  return path.replace('{rest_root}', restRoot).replace(/\{\w+\}/g, 'x');
}

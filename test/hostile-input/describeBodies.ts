import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildSchema } from 'graphql';
import type { Route } from '../../schema/route/Route.ts';
import { readTraits } from '../../schema/route/readTraits.ts';
import type { Operation } from '../authorization/matrix/Operation.ts';
import { openRefusals } from '../authorization/matrix/openRefusals.ts';
import type { Who } from '../authorization/world/people.ts';
import type { HttpRequest } from '../support/stack/openHttpClient.ts';
import { createPick, type Sample } from './sample.ts';

const supergraph = buildSchema(
  readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8'),
  { assumeValidSDL: true },
);

const json = ['content-type', 'application/json'] as const;

/** A request with another body as JSON, and with further headers. */
const withJson = (
  request: HttpRequest,
  body: string | Buffer,
  ...more: (readonly [string, string])[]
): HttpRequest => ({ ...request, body, headers: [...(request.headers ?? []), json, ...more] });

const isOpenToSuspended = ({ rule }: Operation): boolean =>
  rule.kind === 'signed in' && rule.alsoIn?.includes('suspended') === true;

/** Declares the tests of invalid request bodies. */
export function describeBodies(sample: Sample): void {
  const refusals = openRefusals({ withCalls: true });
  const pick = createPick(sample);
  const writing = () => refusals.requests.filter(({ request }) => request.body !== undefined);

  test('every route refuses a body that is not a JSON object', async () => {
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
      for (const [what, body, words, pointer] of pick(rows)) {
        const refusal = await refusals.watch.refuse(withJson(request, body));
        const got = `${refusal.status} ${refusal.code}`;
        if (got !== words || (pointer && refusal.pointer !== pointer))
          faults.push(`${request.method} ${request.path} ${what}: ${got} ${refusal.pointer}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('every route refuses an unknown member of a body with its pointer', async () => {
    const faults: string[] = [];
    const names = ['wings', '__proto__', 'constructor', '$where', 'installationId', 'a.b', 'a/b~c'];
    for (const { request } of writing()) {
      for (const name of pick(names)) {
        const members = JSON.stringify(request.body).slice(1);
        const body = `{${JSON.stringify(name)}:{"x":1}${members === '}' ? '' : ','}${members}`;
        const { status, code, pointer } = await refusals.watch.refuse(withJson(request, body));
        const wanted = `#/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
        if (status !== 422 || code !== 'unknown_field' || pointer !== wanted)
          faults.push(`${request.method} ${request.path} ${name}: ${status} ${code} ${pointer}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('every route refuses a body of another media type with 415 before it is parsed', async () => {
    const faults: string[] = [];
    const latin = 'application/json; charset=latin1';
    const mediaTypes = ['text/plain', 'application/xml', latin, 'multipart/form-data', ';'];
    const typed = mediaTypes.map((type) => [type, '{', [['content-type', type]]] as const);
    const untyped = ['none', '{}', []] as const;
    const packed = ['br', '{}', [json, ['content-encoding', 'br']]] as const;
    for (const { request } of writing()) {
      const { headers = [] } = request;
      for (const [what, body, more] of pick([...typed, untyped, packed])) {
        const words = await refusals.watch.words({ ...request, body, headers: [...headers, ...more] });
        if (words !== '415 unsupported_media_type')
          faults.push(`${request.method} ${request.path} ${what}: ${words}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('every route refuses a body that is too large with 413, also if it is chunked or compressed', async () => {
    const faults: string[] = [];
    /** Exceeds every limit of JSON bodies, and the limit of the route. */
    const tooMuchFor = ({ kind, operationName }: Route) => {
      const root = kind === 'query' ? supergraph.getQueryType() : supergraph.getMutationType();
      const field = root?.getFields()[operationName];
      const { bodyBytes = 0 } = field ? readTraits(field) : {};
      return Buffer.alloc(Math.max(1_100_000, bodyBytes + 1), 0x20);
    };
    const bomb = gzipSync(Buffer.alloc(20_000_000, 0x20));
    const chunked = ['transfer-encoding', 'chunked'] as const;
    const gzip = ['content-encoding', 'gzip'] as const;
    const all: [HttpRequest, Buffer][] = [
      ...writing().map(({ request, route }) => [request, tooMuchFor(route)] as [HttpRequest, Buffer]),
      [
        { method: 'POST', path: '/graphql', token: refusals.world.tokenOf('buyer') },
        Buffer.alloc(2_700_000, 0x20),
      ],
    ];
    for (const [request, large] of all) {
      const tries: HttpRequest[] = [
        withJson(request, large),
        withJson(request, large, chunked),
        withJson(request, bomb, gzip),
      ];
      for (const [index, sent] of pick([...tries.entries()])) {
        const words = await refusals.watch.words(sent);
        if (words !== '413 payload_too_large')
          faults.push(`${request.method} ${request.path} ${index}: ${words}`);
      }
      const broken = await refusals.watch.refuse(withJson(request, 'no gzip', gzip));
      if (broken.status !== 400) faults.push(`${request.method} ${request.path} broken: ${broken.status}`);
    }
    expect(faults).toEqual([]);
  });

  test('every guarded route refuses a caller without access before it reads the body', async () => {
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
      for (const [who, words] of pick(refused)) {
        for (const body of pick(['{', '{"wings":1}', 'x'.repeat(300_000)])) {
          const headers = [['content-type', 'text/plain']] as const;
          const token = refusals.world.tokenOf(who);
          const got = await refusals.watch.words({ ...request, token, body, headers });
          if (got !== words) faults.push(`${request.method} ${request.path} ${who}: ${got}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });
}

import { createSecretKey, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { readContext } from '../../subgraphs/platform/context/contextHeader.ts';
import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import { openEventStream } from '../../test/support/stack/openEventStream.ts';
import {
  type HttpClient,
  type HttpRequest,
  openHttpClient,
} from '../../test/support/stack/openHttpClient.ts';
import { createSigner, type Signer } from './createSigner.ts';

const contextKey = createSecretKey(randomBytes(32));
const key = randomBytes(32).toString('hex');
const nowMs = Date.UTC(2026, 0, 1);
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
let servers: Server[];
let signer: Signer;
let client: HttpClient;
let signerUrl: string;

const logged: string[] = [];
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
async function listen(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return portOf(server);
}

beforeAll(async () => {
  const subgraph = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => answer(request, response, body));
  });
  const gone = createServer();
  const [port, gonePort] = [await listen(subgraph), await listen(gone)];
  await new Promise((closed) => gone.close(closed));
  const installation = { id: 'ins_shop' } as Installation;
  signer = createSigner({
    platform: {
      contextKey,
      now: () => nowMs,
      log: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
      installations: {
        findByHost: (host) => (host === 'shop.example.com' ? installation : null),
        findById: () => null,
        all: [installation],
        refresh: async () => undefined,
        close: () => undefined,
      },
    },
    subgraphs: new Map([
      ['seo', `http://127.0.0.1:${port}/`],
      ['gone', `http://127.0.0.1:${gonePort}/`],
    ]),
    key,
    trustedProxies: 1,
  });
  const server = createServer(signer.handle);
  signerUrl = `http://127.0.0.1:${await listen(server)}`;
  servers = [subgraph, server];
  client = openHttpClient(portOf(server));
});
afterAll(async () => {
  client.close();
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
  await signer.close();
});

const usual: Record<string, string> = {
  'trigate-signer-key': key,
  'x-forwarded-host': 'shop.example.com',
  'x-forwarded-for': '198.51.100.7, 203.0.113.9',
};

const send = (request: Partial<HttpRequest> = {}, headers: Record<string, string> = usual) =>
  client.send({
    method: 'POST',
    path: '/seo',
    body: { query: '{ __typename }' },
    ...request,
    headers: [...Object.entries(headers), ...(request.headers ?? [])],
  });

test('the signer sends the context of the host and client address that the proxy states to the subgraph', async () => {
  let seen: Pick<IncomingMessage, 'headers' | 'rawHeaders'> = { headers: {}, rawHeaders: [] };
  answer = (request, response, body) => {
    seen = request;
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };
  const { status, json } = await send({
    headers: [
      ['trigate-context', 'forged'],
      ['authorization', 'Bearer one'],
      ['authorization', 'Bearer two'],
      ['cookie', 'a=b'],
    ],
  });
  expect([status, json]).toEqual([200, { query: '{ __typename }' }]);
  const { headers, rawHeaders } = seen;
  expect(readContext(contextKey, headers['trigate-context'], nowMs)).toEqual({
    installationId: 'ins_shop',
    clientAddress: '203.0.113.9',
    userAgent: '',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    depth: 0,
    forEngine: true,
  });
  // Both tokens are forwarded, because the subgraph must refuse them. It would accept a single one.
  expect(rawHeaders.filter((line) => line.startsWith('Bearer'))).toEqual(['Bearer one', 'Bearer two']);
  for (const name of ['cookie', 'trigate-signer-key', 'x-forwarded-for'])
    expect(headers).not.toHaveProperty(name);
});

test('the signer forwards a subscription by GET with its query string and without a body', async () => {
  let seen: Pick<IncomingMessage, 'method' | 'url'> = {};
  answer = (request, response) => {
    seen = { method: request.method, url: request.url };
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: complete\ndata:\n\n');
  };
  const path = '/seo?query=subscription%7Bevents%7Bid%7D%7D';
  const { status } = await send({
    method: 'GET',
    path,
    body: undefined,
    headers: [['accept', 'text/event-stream']],
  });
  expect([status, seen]).toEqual([200, { method: 'GET', url: path.replace('/seo', '/') }]);
});

const wrongKey = { ...usual, 'trigate-signer-key': 'x'.repeat(64) };
const evilHost = { ...usual, 'x-forwarded-host': 'evil.example' };
test.each([
  ['another key', 401, 'token_missing', {}, wrongKey],
  ['an unknown subgraph', 404, 'not_found', { path: '/payments' }, usual],
  ['another method than POST', 405, 'method_not_allowed', { method: 'GET', body: undefined }, usual],
  ['a host of no installation', 404, 'not_found', {}, evilHost],
  ['a missing host', 404, 'not_found', {}, { 'trigate-signer-key': key }],
])(
  'the signer refuses a request with %s without a request to a subgraph',
  async (_, status, code, request, headers) => {
    answer = () => {
      throw new Error('The subgraph was asked.');
    };
    const refused = await send(request, headers);
    expect([refused.status, refused.json.errors[0].extensions.problem.code]).toEqual([status, code]);
  },
);

test('the signer returns 503 for an unreachable subgraph, without its address in the answer or the log', async () => {
  logged.length = 0;
  const { status, text, json } = await send({ path: '/gone' });
  expect([status, json.errors[0].extensions.problem.code]).toEqual([503, 'unavailable']);
  expect(JSON.parse(logged.join(''))).toMatchObject({ subgraph: 'gone', msg: 'subgraph failed' });
  expect(text).not.toMatch(/127\.0\.0\.1|ECONN/);
  // Engines would send this status to the client instead of the fields of other subgraphs.
  expect(json.errors[0].extensions).not.toHaveProperty('http');
  expect(logged.join('')).not.toMatch(/127\.0\.0\.1|stack/);
});

test('the signer states an unknown outcome if a subgraph breaks the connection after it received the request', async () => {
  answer = (_request, response) => response.destroy();
  const { status, json } = await send();
  expect([status, json.errors.length]).toEqual([503, 1]);
  expect(json.errors[0].extensions.problem).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
  const unreached = await send({ path: '/gone' });
  expect(unreached.json.errors[0].extensions.problem).not.toHaveProperty('outcome');
});

test('the signer forwards events one by one and ends the request to the subgraph when its client disconnects', async () => {
  let emit: (text: string) => void = () => undefined;
  const left = new Promise<void>((done) => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.once('close', done);
      emit = (text) => void response.write(`event: next\ndata: "${text}"\n\n`);
      emit('one');
    };
  });
  const stream = await openEventStream(`${signerUrl}/seo`, {
    headers: usual,
    body: { query: 'subscription' },
  });
  await stream.until('the first', ({ received }) => received.length === 1);
  emit('two');
  await stream.until('the second', ({ received }) => received.length === 2);
  expect(stream.received.map(({ data }) => data)).toEqual(['one', 'two']);
  stream.close();
  await left;
});

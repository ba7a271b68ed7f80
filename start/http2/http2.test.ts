import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { request as startRequest } from 'node:https';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import sharp from 'sharp';
import { product } from '../../test/support/product.ts';
import type { SeededUser } from '../../test/support/seed.ts';
import { type Listener, listen } from '../listen.ts';

const fixture = (name: string) => path.join(import.meta.dirname, 'fixture', name);
const tls = { key: fixture('key.pem'), cert: fixture('cert.pem') };
const ca = readFileSync(tls.cert);

// A stack of its own: the job of photos meets files without bytes on the shared one.
const { stack, market } = product({});
let handle: RequestListener;
let authority: string;
let seller: SeededUser;
let listener: Listener;
let session: ClientHttp2Session;

const connectTo = ({ port }: Listener) =>
  connect(`https://127.0.0.1:${port}`, { ca, servername: 'localhost' }).on('error', () => undefined);

beforeAll(async () => {
  ({ handle } = await stack.serve());
  [authority = ''] = market.installation.hosts;
  seller = await market.user();
  listener = await listen(handle, { port: 0, host: '127.0.0.1', tls, http2: true });
  session = connectTo(listener);
});
afterAll(async () => {
  session.close();
  await listener.drain({ idleMs: 10 });
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  json: any;
}

/** Sends a request over the open connection, or over another one. */
function send(
  where: string,
  {
    headers = {},
    body,
    over = session,
  }: { headers?: object; body?: Buffer | string; over?: ClientHttp2Session } = {},
): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST';
  const stream = over.request({ ':path': where, ':method': method, ':authority': authority, ...headers });
  return new Promise((answered, failed) => {
    const chunks: Buffer[] = [];
    let got: IncomingHttpHeaders = {};
    stream.on('response', (head) => (got = head));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', failed);
    stream.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const isJson = /json/.test(got['content-type'] ?? '') && got['content-encoding'] === undefined;
      const json = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
      answered({ status: Number(got[':status']), headers: got, bytes, json });
    });
    stream.end(body);
  });
}

const bearer = () => ({ authorization: `Bearer ${seller.token}` });
const graphql = (query: string, headers: object = {}) =>
  send('/graphql', {
    headers: { 'content-type': 'application/json', ...bearer(), ...headers },
    body: JSON.stringify({ query }),
  });

test('REST answers, compressed and by its tag, and refuses as over HTTP/1.1', async () => {
  await seller.listing({ published: true, title: 'Violin' });
  const plain = await send('/api/v1/listings', { headers: bearer() });
  expect([plain.status, plain.json.data[0].title]).toEqual([200, 'Violin']);
  const small = await send('/api/v1/openapi.json', { headers: { 'accept-encoding': 'br' } });
  expect([small.status, small.headers['content-encoding']]).toEqual([200, 'br']);
  expect(JSON.parse(brotliDecompressSync(small.bytes).toString()).openapi).toMatch(/^3\.1/);
  const known = await send('/api/v1/openapi.json', {
    headers: { 'accept-encoding': 'br', 'if-none-match': String(small.headers.etag) },
  });
  expect([known.status, known.bytes.length]).toEqual([304, 0]);
  expect((await send('/api/v1/me')).json).toMatchObject({ code: 'token_missing' });
  const nowhere = await send('/api/v1/catalog/listings', { headers: { ':authority': 'nowhere.example' } });
  expect([nowhere.status, nowhere.json.code]).toEqual([404, 'not_found']);
});

test('GraphQL answers and refuses through Express, its pages too', async () => {
  expect((await graphql('{ me { id } }')).json).toEqual({ data: { me: { id: seller.id } } });
  const form = await graphql('{ me { id } }', { 'content-type': 'text/plain', 'accept-encoding': 'br' });
  expect(form.status).toBe(415);
  const rejected = await graphql('{ me { id } }', { authorization: 'Bearer nonsense' });
  expect([rejected.status, rejected.json.errors[0].extensions.problem.code]).toEqual([
    401,
    'token_malformed',
  ]);
  const page = await send('/graphiql', { headers: { 'accept-encoding': 'br' } });
  expect([page.status, String(brotliDecompressSync(page.bytes))]).toEqual([
    200,
    expect.stringContaining('GraphiQL'),
  ]);
  const file = await send('/graphiql/graphiql.css', { headers: { range: 'bytes=0-9' } });
  expect([file.status, file.bytes.length]).toEqual([206, 10]);
  const root = await send('/');
  expect([root.status, root.headers.location]).toEqual([302, '/docs']);
});

test('fifty concurrent requests share one connection', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => graphql('{ me { id } }')));
  expect(new Set(answers.map(({ json }) => json.data.me.id))).toEqual(new Set([seller.id]));
});

test('events are delivered when they happen, and a disconnected client is noticed', async () => {
  for (const [where, body] of [
    ['/api/v1/me/events', undefined],
    ['/graphql', JSON.stringify({ query: 'subscription { events { event { type } } }' })],
  ] as const) {
    const { streams } = stack.platform;
    const before = streams.count;
    const stream = session.request({
      ':path': where,
      ':method': body ? 'POST' : 'GET',
      ':authority': authority,
      accept: 'text/event-stream',
      ...(body && { 'content-type': 'application/json' }),
      ...bearer(),
    });
    let text = '';
    const told = new Promise<void>((done) => {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.includes('listing.created')) done();
      });
    });
    stream.end(body);
    await new Promise((connected) => stream.once('data', connected));
    await seller.listing();
    await stack.runJob('identity.relay');
    await told;
    expect(text).toContain('listing.created');
    stream.close();
    while (streams.count > before) await new Promise((rested) => setTimeout(rested, 20));
  }
});

test('a file is uploaded in a form, and a part of it is fetched', async () => {
  const create = { width: 800, height: 600, channels: 3, background: '#884400' } as const;
  const form = new FormData();
  form.append('purpose', 'listing');
  const photo = await sharp({ create }).jpeg().toBuffer();
  form.append('file', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'car.jpg');
  const encoded = new Response(form);
  const created = await send('/api/v1/media', {
    headers: { ...bearer(), 'content-type': encoded.headers.get('content-type') },
    body: Buffer.from(await encoded.arrayBuffer()),
  });
  expect([created.status, created.json.state]).toEqual([201, 'processing']);
  await stack.runJob('identity.media-processing');
  const { json } = await send(`/api/v1/media/${created.json.id}`, { headers: bearer() });
  const { pathname } = new URL(json.renditions[0].url);
  const whole = await send(pathname);
  const part = await send(pathname, { headers: { range: 'bytes=10-19' } });
  expect([whole.status, part.status]).toEqual([200, 206]);
  expect(part.bytes.equals(whole.bytes.subarray(10, 20))).toBe(true);
});

test('a client of HTTP/1.1 is answered on the same port', async () => {
  const status = await new Promise<string>((answered, failed) => {
    const call = startRequest(
      {
        host: '127.0.0.1',
        port: listener.port,
        ca,
        servername: 'localhost',
        path: '/api/v1/me',
        headers: { host: authority, ...bearer() },
      },
      (response) => {
        response.resume();
        answered(`${response.httpVersion} ${response.statusCode}`);
      },
    );
    call.on('error', failed).end();
  });
  expect(status).toBe('1.1 200');
});

test('a draining server answers its requests and accepts no more', async () => {
  const got = { requests: 0 };
  let open: () => void = () => undefined;
  const gate = new Promise<void>((opened) => (open = opened));
  const options = { port: 0, host: '127.0.0.1', tls, http2: true };
  const leaving = await listen((request, response) => {
    got.requests += 1;
    void gate.then(() => handle(request, response));
  }, options);
  const over = connectTo(leaving);
  const goodbye = new Promise((told) => over.once('goaway', told));
  const last = Promise.all(Array.from({ length: 20 }, () => send('/api/v1/me', { headers: bearer(), over })));
  while (got.requests < 20) await new Promise((rested) => setTimeout(rested, 20));
  const drained = leaving.drain({ idleMs: 100 });
  expect(await goodbye).toBe(0);
  open();
  expect((await last).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  await drained;
  await expect(send('/api/v1/me', { over: connectTo(leaving) })).rejects.toThrow();
});

test('TLS files that cannot be used are refused by name', async () => {
  const wrong = (key: string, cert: string) =>
    listen(handle, { port: 0, host: '127.0.0.1', tls: { key, cert }, http2: true });
  await expect(wrong('/nowhere.pem', tls.cert)).rejects.toThrow(/^TLS_KEY cannot be read \(ENOENT\)/);
  await expect(wrong(tls.cert, tls.key)).rejects.toThrow(/^TLS_KEY and TLS_CERT cannot be used/);
});

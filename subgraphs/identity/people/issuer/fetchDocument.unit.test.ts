import { createServer, type RequestListener } from 'node:http';
import { type LocalServer, listenLocally } from '../../../../test/support/servers/listenLocally.ts';
import { isPublicAddress } from '../../../platform/http/isPublicAddress.ts';
import { type FetchOptions, fetchDocument } from './fetchDocument.ts';

const servers: LocalServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});

/** A server on the loopback. Returns its URL and the number of requests. */
async function serve(listener: RequestListener) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    listener(request, response);
  });
  const local = await listenLocally(server);
  servers.push(local);
  return { url: `${local.url}/keys`, asked: () => asked };
}

const fetchPrivate = (url: string, options: FetchOptions = {}) =>
  fetchDocument(url, { allowPrivate: true, ...options });
/** A resolver that returns these addresses for every name. */
const resolveTo = (...addresses: string[]) =>
  ((_: string, __: object, answer: (error: null, found: object[]) => void) =>
    answer(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as NonNullable<FetchOptions['resolve']>;

test('a document is read from an allowed address', async () => {
  const { url } = await serve((_, response) => void response.end('{"keys": []}'));
  expect(await fetchPrivate(url)).toEqual({ keys: [] });
});

const private4 =
  '127.0.0.1 127.255.0.9 10.1.2.3 172.16.0.1 192.168.0.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 192.0.2.1';
const private6 = '::1 :: fe80::1 fd00:ec2::254 fc00::1 ff02::1 ::ffff:127.0.0.1 ::ffff:169.254.169.254';
const embedding6 = '64:ff9b::7f00:1 2002:7f00:1:: 2001:0:7f00:1::';
const all = `${private4} ${private6} ${embedding6}`.split(' ');
test.each([...all, 'not an address'])('the address %s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:8.8.8.8'])(
  'the address %s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ['plain http', 'http://issuer.example/keys', /no(t an)? https/],
  ['an address literal', 'https://169.254.169.254/latest/meta-data', /not public/],
  ['an IPv6 literal', 'https://[::1]/keys', /not public/],
  ['an address as a decimal number', 'https://2130706433/keys', /not public/],
  ['an octal address', 'https://0177.0.0.1/keys', /not public/],
  ['a mapped literal', 'https://[::ffff:10.0.0.1]/keys', /not public/],
  ['credentials', 'https://user:secret@issuer.example/keys', /credentials/],
  ['the scheme file', 'file:///etc/passwd', /https/],
])('a URL with %s is refused before any connection', async (_, url, reason) => {
  await expect(fetchDocument(url, { resolve: resolveTo('8.8.8.8') })).rejects.toThrow(reason);
});

test.each([
  ['a private address', ['10.0.0.1']],
  ['the loopback', ['127.0.0.1']],
  ['the metadata address of a cloud', ['169.254.169.254']],
  ['a public and a private address', ['8.8.8.8', '127.0.0.1']],
  ['the loopback in its IPv6 form', ['::ffff:127.0.0.1']],
])('a name that resolves to %s is refused', async (_, addresses) => {
  const { asked, url } = await serve((_request, response) => void response.end('{}'));
  const { port } = new URL(url);
  const fetching = fetchDocument(`https://issuer.example:${port}/`, { resolve: resolveTo(...addresses) });
  await expect(fetching).rejects.toThrow(/not public/);
  expect(asked()).toBe(0);
});

test('a document is read from the address that was checked, and its name is resolved once', async () => {
  const { url } = await serve(
    (request, response) => void response.end(JSON.stringify({ host: request.headers.host })),
  );
  let resolved = 0;
  const loopback = resolveTo('127.0.0.1');
  const resolve = ((...args: Parameters<typeof loopback>) => {
    resolved += 1;
    return loopback(...args);
  }) as typeof loopback;
  const { port } = new URL(url);
  const document = await fetchPrivate(`http://issuer.example:${port}/keys`, { resolve });
  expect([document, resolved]).toEqual([{ host: `issuer.example:${port}` }, 1]);
});

test('a redirect of a document is not followed', async () => {
  const target = await serve((_, response) => void response.end('{"keys": []}'));
  const { url } = await serve((request, response) => {
    const location = request.url === '/keys' ? 'http://169.254.169.254/latest/meta-data' : target.url;
    response.writeHead(302, { location }).end();
  });
  await expect(fetchPrivate(url)).rejects.toThrow(/status 302/);
  await expect(fetchPrivate(`${url}/other`)).rejects.toThrow(/status 302/);
  expect(target.asked()).toBe(0);
});

test('a document beyond the size limit is refused, and its connection is closed', async () => {
  const cut = Promise.withResolvers<boolean>();
  const { url } = await serve((_, response) => {
    response.on('close', () => cut.resolve(!response.writableFinished));
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 32))) continue;
    };
    response.on('drain', write);
    write();
  });
  await expect(fetchPrivate(url)).rejects.toThrow(/more than 524288 bytes/);
  expect(await cut.promise).toBe(true);
});

test.each([
  ['does not respond', () => undefined],
  ['sends its body byte by byte', (send: () => void) => setInterval(send, 20).unref()],
])('a request to a server that %s times out', async (_, dribble) => {
  const { url } = await serve((_request, response) => {
    dribble(() => response.write(' '));
  });
  const begun = performance.now();
  await expect(fetchPrivate(url, { timeoutMs: 200 })).rejects.toThrow(/timeout|aborted/i);
  expect(performance.now() - begun).toBeLessThan(4000);
});

test.each([
  ['is not JSON', (response: Parameters<RequestListener>[1]) => response.end('<html>')],
  ['is missing', (response: Parameters<RequestListener>[1]) => response.writeHead(404).end('{"keys": []}')],
  [
    'is compressed',
    (response: Parameters<RequestListener>[1]) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('{"keys": []}'),
  ],
])('a document that %s is refused', async (_, answer) => {
  const { url } = await serve((_request, response) => void answer(response));
  await expect(fetchPrivate(url)).rejects.toThrow();
});

import { setTimeout as pause } from 'node:timers/promises';
import { product } from '../support/product.ts';
import { type FaultyProxy, openFaultyProxy } from '../support/servers/openFaultyProxy.ts';
import { type HttpAnswer, type HttpClient, openHttpClient } from '../support/stack/openHttpClient.ts';
import { restRoot } from '../support/stack/serveStack.ts';

/** The router has two connections to each subgraph and identity answers slowly, so requests queue for a connection. */
let proxy: FaultyProxy;
let pace: NodeJS.Timeout;
let token: string;
/** Several clients, because one client sends few requests concurrently. */
let clients: HttpClient[];
const patienceMs = 60_000;

const { stack, market, send } = product({
  apart: true,
  limits: { subgraphs: { connections: 2 } },
  through: async (name, url) => {
    if (name !== 'identity') return url;
    proxy = await openFaultyProxy(url);
    return proxy.url;
  },
});
beforeAll(async () => {
  ({ token } = await market.user());
  const port = await stack.port();
  clients = Array.from({ length: 10 }, () => openHttpClient(port));
});
beforeEach(() => {
  proxy.fault = 'late';
  pace = setInterval(() => proxy.release(), 25);
});
afterEach(() => {
  clearInterval(pace);
  proxy.fault = 'none';
  proxy.release();
});
afterAll(async () => {
  for (const client of clients) client.close();
  await proxy.close();
});

const hostOf = () => market.installation.hosts[0] ?? '';
const me = (client: HttpClient): Promise<HttpAnswer> =>
  client.send({ host: hostOf(), path: '/api/v1/me', token });
const graphql = (client: HttpClient): Promise<HttpAnswer> =>
  client.send({ host: hostOf(), method: 'POST', path: '/graphql', token, body: { query: '{ me { id } }' } });
const languages = (): Promise<HttpAnswer> => send({ path: `${restRoot}/translation/v1/languages` });

/** Sends more and more concurrent requests until the first one is refused. */
async function crowdUntilRefused(ask: typeof me): Promise<HttpAnswer[]> {
  const answers: Promise<HttpAnswer>[] = [];
  const refused: HttpAnswer[] = [];
  while (refused.length === 0 && answers.length < 5000) {
    for (const client of clients) {
      const answer = ask(client);
      answers.push(answer);
      void answer.then((one) => (one.status === 503 ? refused.push(one) : 0));
    }
    await pause(20);
  }
  return Promise.all(answers);
}

test.each([
  ['REST', me],
  ['GraphQL', graphql],
])(
  'a %s request to an overloaded subgraph is refused with Retry-After, and other requests succeed',
  async (_, ask) => {
    const crowd = crowdUntilRefused(ask);
    const beside: HttpAnswer[] = [];
    const over = new AbortController();
    void crowd.then(() => over.abort());
    while (!over.signal.aborted) beside.push(await languages());
    const answers = await crowd;
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(answers.length);
    for (const { status, headers, text } of refused) {
      expect([status, headers['retry-after']]).toEqual([503, '1']);
      expect(text).toContain('unavailable');
    }
    expect(new Set(beside.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await send({ path: '/api/v1/me', token })).status).toBe(200);
  },
  patienceMs,
);

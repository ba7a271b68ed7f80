import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { releasedSupergraph } from '../../app/federation/openRouters.ts';
import { product } from '../support/product.ts';
import { type Fault, type FaultyProxy, openFaultyProxy } from '../support/servers/openFaultyProxy.ts';
import type { HttpAnswer } from '../support/stack/openHttpClient.ts';
import { restRoot } from '../support/stack/serveStack.ts';

/** Injects faults in front of identity. Translation has no proxy. */
let proxy: FaultyProxy;
let token: string;
/** Clock of the circuit breaker. */
let now = 0;
const circuitPauseMs = 5000;
const maxRequests = 8;
const maxQueued = 1;
const patienceMs = 60_000;

let supergraph: string;
/** Lines of the router's log. */
const lines: { msg: string; reason?: string }[] = [];

beforeAll(async () => {
  supergraph = path.join(await mkdtemp(path.join(tmpdir(), 'trigate-supergraph-')), 'supergraph.graphql');
  await copyFile(releasedSupergraph, supergraph);
});
const { stack, market, send } = product(() => ({
  supergraph,
  log: pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) }),
  apart: true,
  through: async (name, url) => {
    if (name !== 'identity') return url;
    proxy = await openFaultyProxy(url);
    return proxy.url;
  },
  concurrency: { maxRunning: maxRequests, maxQueued, maxQueueMs: 500 },
  limits: { subgraphs: { timeoutMs: 1500, now: () => now } },
}));
beforeAll(async () => {
  await stack.serve();
  ({ token } = await market.user());
});
afterAll(async () => {
  await proxy.close();
  await rm(path.dirname(supergraph), { recursive: true });
});
afterEach(async () => {
  proxy.fault = 'none';
  proxy.release();
  now += circuitPauseMs;
  // The product recovers from every fault without a restart.
  expect((await me()).status).toBe(200);
});

const me = (): Promise<HttpAnswer> => send({ path: '/api/v1/me', token });
const languages = (): Promise<HttpAnswer> => send({ path: `${restRoot}/translation/v1/languages` });
const graphql = (query: string, variables: object = {}): Promise<HttpAnswer> =>
  send({ method: 'POST', path: '/graphql', token, body: { query, variables } });
const both = '{ me { id } languages { defaultCode } }';

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(20);
}

describe('a subgraph', () => {
  test.each<[string, Fault, string, number, string]>([
    ['breaks its connections', 'broken', 'UPSTREAM_UNAVAILABLE', 503, 'unavailable'],
    ['never answers', 'hung', 'UPSTREAM_TIMEOUT', 504, 'upstream_timeout'],
    ['ends during its answer', 'cut', 'UPSTREAM_UNAVAILABLE', 503, 'unavailable'],
    ['answers unexpected JSON', 'nonsense', 'UPSTREAM_ERROR', 502, 'upstream_error'],
    ['answers an HTML page', 'html', 'UPSTREAM_ERROR', 502, 'upstream_error'],
    ['answers 12 MB, more than the router reads', 'flood', 'UPSTREAM_ERROR', 502, 'upstream_error'],
    ['answers 500', 'fail', 'UPSTREAM_ERROR', 502, 'upstream_error'],
    ['is behind a gateway that answers 503', 'gateway', 'UPSTREAM_UNAVAILABLE', 503, 'unavailable'],
  ])(
    'that %s causes an error of its own fields only, which does not contain its address',
    async (_, fault, code, status, problem) => {
      proxy.fault = fault;
      const [partial, whole, other] = await Promise.all([graphql(both), me(), languages()]);
      expect(partial.status).toBe(200);
      const message = expect.stringMatching(/^The subgraph "identity" [a-z ]+\.$/);
      const extensions = {
        code,
        serviceName: 'identity',
        problem: expect.objectContaining({ code: problem, status }),
      };
      expect(partial.json).toEqual({
        data: { me: null, languages: { defaultCode: expect.any(String) } },
        errors: [{ message, path: ['me'], extensions }],
      });
      expect([whole.status, whole.json.code]).toEqual([status, problem]);
      expect(whole.headers['retry-after']).toBe(status === 503 ? '1' : undefined);
      expect(partial.text + whole.text).not.toMatch(/\d+\.\d+\.\d+\.\d+|internal|ECONN|undici|[<x]{2}/);
      expect(other.status).toBe(200);
    },
    patienceMs,
  );

  test('that fails five times receives no request for five seconds, and then a single one', async () => {
    proxy.fault = 'fail';
    const asked = async (): Promise<number> => {
      const before = proxy.arrived;
      await me();
      return proxy.arrived - before;
    };
    const askedInRow: number[] = [];
    for (let index = 0; index < 8; index++) askedInRow.push(await asked());
    expect(askedInRow).toEqual([1, 1, 1, 1, 1, 0, 0, 0]);
    expect(await me()).toMatchObject({ status: 503, json: { code: 'unavailable' } });
    now += circuitPauseMs - 1;
    expect(await asked()).toBe(0);
    now += 1;
    expect([await asked(), await asked()]).toEqual([1, 0]);
  });
});

describe('a write whose answer is lost', () => {
  test.each<[Fault, number]>([
    ['lost', 503],
    ['late', 504],
  ])(
    'is reported with an unknown outcome and replayed with its idempotency key, after the fault "%s"',
    async (fault, status) => {
      const key = randomUUID();
      const title = `Volvo 145 ${key}`;
      const write = (): Promise<HttpAnswer> =>
        send({
          method: 'POST',
          path: '/api/v1/listings',
          token,
          headers: [['idempotency-key', key]],
          body: { title },
        });
      proxy.fault = fault;
      const lost = await write();
      expect([lost.status, lost.json.outcome]).toEqual([status, 'unknown']);
      expect(lost.json.detail).toContain('Idempotency-Key');
      proxy.fault = 'none';
      const again = await write();
      expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
      const { json } = await send({ path: '/api/v1/listings', token });
      expect(json.data.filter((one: { title: string }) => one.title === title)).toHaveLength(1);
    },
    patienceMs,
  );

  test('has an unknown outcome in GraphQL, which a write that was not sent does not have', async () => {
    const text = 'mutation ($input: CreateListingInput!) { createListing(input: $input) { listing { id } } }';
    const write = () => graphql(text, { input: { title: 'Volvo 245' } });
    proxy.fault = 'lost';
    expect((await write()).json.errors[0].extensions).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      outcome: 'unknown',
      problem: { outcome: 'unknown' },
    });
    proxy.fault = 'fail';
    for (let index = 0; index < 4; index++) await me();
    const before = proxy.arrived;
    const [refused] = (await write()).json.errors;
    expect(proxy.arrived).toBe(before);
    expect(refused.extensions).not.toHaveProperty('outcome');
    expect(refused.extensions.problem).not.toHaveProperty('outcome');
  });
});

test(
  'a request is refused with Retry-After at once if the queue is full, and if it is queued for too long',
  async () => {
    proxy.fault = 'hung';
    const before = proxy.arrived;
    const waiting = Array.from({ length: maxRequests }, me);
    await until(() => proxy.arrived === before + maxRequests);
    const queued = languages();
    await pause(100);
    const [asked, health] = await Promise.all([
      graphql('{ languages { defaultCode } }'),
      send({ path: '/api/v1/health' }),
    ]);
    expect([asked.status, asked.headers['retry-after']]).toEqual([503, '1']);
    expect(asked.json.errors[0].extensions).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      problem: { code: 'unavailable' },
    });
    expect(health.status).toBe(200);
    const rest = await queued;
    expect([rest.status, rest.json.code, rest.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(504);
    expect((await languages()).status).toBe(200);
  },
  patienceMs,
);

test('requests whose caller is being identified count as executions', async () => {
  const { platform } = stack;
  const { identify } = platform;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let lookups = 0;
  platform.identify = async (...asked) => {
    lookups++;
    await released;
    return identify(...asked);
  };
  try {
    const count = maxRequests + maxQueued;
    const waiting = Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? me() : graphql('{ me { id } }'),
    );
    await until(() => lookups === count);
    for (const { status, headers } of await Promise.all([me(), graphql('{ me { id } }')]))
      expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(lookups).toBe(count);
    release();
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  } finally {
    release();
    platform.identify = identify;
  }
});

describe('a supergraph whose file changes', () => {
  const logged = (what: string) => lines.filter(({ msg }) => msg === what);
  const described = async () =>
    (await graphql('{ __type(name: "LanguageList") { description } }')).json.data.__type.description;

  test(
    'is served in REST and GraphQL, and no request in flight is lost',
    async () => {
      const released = await readFile(supergraph, 'utf8');
      const changed = released.replace(/"""[^"]*"""\ntype LanguageList/, '"""Anew."""\ntype LanguageList');
      const before = await described();
      const over = new AbortController();
      const lost: HttpAnswer[] = [];
      let asked = 0;
      const clients = [languages, () => graphql('{ languages { defaultCode } }')].map(async (ask) => {
        while (!over.signal.aborted) {
          const answer = await ask();
          asked++;
          if (answer.status !== 200 || answer.json.errors) lost.push(answer);
          await pause(10);
        }
      });
      await replaceFile(supergraph, changed);
      await until(() => logged('the supergraph was replaced').length > 0);
      expect([before, await described()]).toEqual([expect.not.stringContaining('Anew.'), 'Anew.']);
      over.abort();
      await Promise.all(clients);
      expect(lost).toEqual([]);
      expect(asked).toBeGreaterThan(10);
    },
    patienceMs * 2,
  );

  test(
    'to an invalid text is logged, and the last valid supergraph is served',
    async () => {
      const released = await readFile(supergraph, 'utf8');
      const reasons = () => logged('the last good supergraph is kept').map(({ reason }) => reason);
      const wrong = [
        'type {',
        // The planner cannot reach its fields.
        released.replaceAll(' @join__type(graph: TRANSLATION)', ''),
        // The planner's process ends.
        released.replace(/key: "[^"]*"/, 'key: "{{{"'),
        // A route has lost its field.
        released.replaceAll(/^ {2}languages\(/gm, '  tongues('),
        // A root field has lost its guard.
        released.replace(/(^ {2}languages\([^)]*\): LanguageList.*) @guard__public/m, '$1'),
        null,
      ];
      for (const [index, text] of wrong.entries()) {
        await (text === null ? rm(supergraph) : replaceFile(supergraph, text));
        await until(() => reasons().length > index);
        expect((await languages()).status).toBe(200);
      }
      expect(reasons()).toEqual([
        expect.stringContaining('Syntax Error'),
        expect.stringContaining('No paths found'),
        expect.stringContaining('could not be planned'),
        expect.stringContaining('languages'),
        expect.stringContaining('languages'),
        'the file cannot be read.',
      ]);
      await replaceFile(supergraph, released);
    },
    patienceMs * 2,
  );
});

/** Replaces the file atomically, so that it is never read half written. */
async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}.next`, text);
  await rename(`${file}.next`, file);
}

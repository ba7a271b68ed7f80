import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { MailModel } from '../../subgraphs/identity/mail/model.ts';
import { collection } from '../authorization/world/collection.ts';
import { drawFrom } from '../opensearch/draw.ts';
import { varyCars } from '../opensearch/fillCatalog.ts';
import type { Fleet, Part } from '../support/fleet/openFleet.ts';
import { openTestFleet, type TestFleet } from '../support/fleet/openTestFleet.ts';
import type { SeededInstallation, SeededUser } from '../support/seed.ts';
import { openEventStream } from '../support/stack/openEventStream.ts';
import {
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
  openHttpClient,
} from '../support/stack/openHttpClient.ts';
import { openSocketClient, type SocketClient } from '../support/stack/openSocketClient.ts';

// Three routers and three processes of each subgraph run on one database. The balancer of each kind checks their health,
// as that of a deployment does.

const each = 3;
const patienceMs = 400_000;
const host = 'demo.localhost';
const password = 'plum-tractor-9-violin';
/** Time for which a process caches a caller. */
const callerCachedMs = 5000;

let opened: TestFleet;
let shop: SeededInstallation;
let fleet: Fleet;
let client: HttpClient;

beforeAll(async () => {
  opened = await openTestFleet(each, { checksHealth: true, environment: { DRAIN_SECONDS: '2' } });
  ({ shop, fleet } = opened);
  client = openHttpClient(Number(new URL(fleet.url).port));
  const { token } = await shop.user();
  const body = { query: '{ me { id } languages { total } }' };
  await until('all processes are ready', async () => {
    const { json } = await send({ method: 'POST', path: '/graphql', token, body });
    return json?.data?.me && json.data.languages;
  });
}, patienceMs);
afterAll(async () => {
  client?.close();
  await opened?.close();
}, patienceMs);

const send = (request: HttpRequest): Promise<HttpAnswer> => client.send({ host, ...request });
const portOf = (url: string): number => Number(new URL(url).port);

/** Sends a request to one router, as a client with this address. */
async function sendTo(router: number, from: string, request: HttpRequest): Promise<HttpAnswer> {
  const direct = openHttpClient(portOf(fleet.programs.router[router]?.url ?? ''));
  try {
    return await direct.send({
      host,
      ...request,
      headers: [['x-forwarded-for', from], ...(request.headers ?? [])],
    });
  } finally {
    direct.close();
  }
}

async function until(what: string, holds: () => Promise<unknown>): Promise<void> {
  for (const end = Date.now() + patienceMs / 2; Date.now() < end; await pause(300)) if (await holds()) return;
  throw new Error(`Timed out: ${what}.`);
}

const signIn = (router: number, from: string, user: SeededUser) =>
  sendTo(router, from, {
    method: 'POST',
    path: '/api/v1/auth/token',
    body: { grant_type: 'password', username: user.email, password },
  });

test(
  'a session that begins at one router is accepted by all, and is refused by all within five seconds of its end',
  async () => {
    const user = await shop.user({ password });
    const from = '198.51.100.1';
    const { status, json: session } = await signIn(0, from, user);
    expect(status).toBe(200);
    const readAt = (router: number) =>
      sendTo(router, from, { path: '/api/v1/me', token: session.access_token });
    // Every process of identity caches the caller now.
    for (let round = 0; round < each; round += 1)
      for (let router = 0; router < each; router += 1) expect((await readAt(router)).status).toBe(200);
    const revoked = await sendTo(1, from, {
      method: 'POST',
      path: '/api/v1/auth/revoke',
      body: { token: session.refresh_token },
    });
    expect(revoked.status).toBe(200);
    const end = Date.now();
    // A field that never reads the caller from a cache.
    const roles = await sendTo(2, from, { path: '/api/v1/me/sessions', token: session.access_token });
    const seen: [number, string][] = [];
    while (seen.slice(-each * each).filter(([, code]) => code === '401').length < each * each) {
      for (let router = 0; router < each; router += 1) {
        const asked = Date.now() - end;
        seen.push([asked, String((await readAt(router)).status)]);
      }
      expect(Date.now() - end).toBeLessThan(60_000);
    }
    const late = seen.filter(([asked, code]) => asked > callerCachedMs && code !== '401');
    expect(late).toEqual([]);
    expect([200, 401]).toContain(roles.status);
  },
  patienceMs,
);

test(
  'of 30 concurrent sign-ins at three routers, exactly the ten of the budget are accepted',
  async () => {
    const user = await shop.user({ password });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => signIn(index % each, '198.51.100.2', user)),
    );
    const counts = new Map<number, number>();
    for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ 200: 10, 429: 20 });
  },
  patienceMs,
);

interface Load {
  /** Responses by request and status, and errors of connections. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Ids of the listings that were acknowledged. */
  readonly created: readonly string[];
  /** Ends the load, and waits for its last responses. */
  end(): Promise<void>;
}

/** Sends reads, joins, searches and writes of these users, within their rate limits, until `end`. */
function startLoad(users: readonly SeededUser[], known: ReadonlyMap<SeededUser, string>): Load {
  const outcomes = new Map<string, number>();
  const created: string[] = [];
  const run = { isOver: false };
  const repeat = async (everyMs: number, name: string, request: () => HttpRequest): Promise<void> => {
    while (!run.isOver) {
      const begun = Date.now();
      const answer = await send(request()).catch((error: NodeJS.ErrnoException) => error);
      const outcome =
        answer instanceof Error
          ? String(answer.code)
          : answer.status < 300 && !answer.json?.errors
            ? 'answered'
            : `${answer.status} ${answer.text.slice(0, 300)}`;
      outcomes.set(`${name}: ${outcome}`, (outcomes.get(`${name}: ${outcome}`) ?? 0) + 1);
      if (!(answer instanceof Error) && name === 'write') created.push(answer.json?.id);
      await pause(Math.max(0, everyMs - (Date.now() - begun)));
    }
  };
  const query =
    'query ($id: ID!) { listing(listingId: $id) { title seo { keyphrase } translations { languageCode } } }';
  const working = users.flatMap((user) => [
    repeat(400, 'me', () => ({ path: '/api/v1/me', token: user.token })),
    repeat(800, 'join', () => ({
      method: 'POST',
      path: '/graphql',
      token: user.token,
      body: { query, variables: { id: known.get(user) } },
    })),
    repeat(2000, 'write', () => ({
      method: 'POST',
      path: '/api/v1/listings',
      token: user.token,
      headers: [['idempotency-key', randomUUID()]],
      body: { categoryId: shop.categories.cars, title: 'Written under load', language: 'en' },
    })),
  ]);
  working.push(repeat(1500, 'search', () => ({ path: '/api/v1/catalog/listings?q=ford' })));
  return {
    outcomes,
    created,
    async end() {
      run.isOver = true;
      await Promise.all(working);
    },
  };
}

/** Opens a stream that continues after its last id at another process whenever it ends. */
function follow(user: SeededUser) {
  const received: string[] = [];
  const run = { isOver: false, connections: 0 };
  const work = async (): Promise<void> => {
    let lastId = '';
    while (!run.isOver) {
      const stream = await openEventStream(`${fleet.url}api/v1/me/events`, {
        token: user.token,
        headers: { host, ...(lastId && { 'last-event-id': lastId }) },
      }).catch(() => null);
      await pause(50);
      if (!stream) continue;
      if (stream.status === 200) run.connections += 1;
      await until('the stream ends', async () => stream.hasEnded || run.isOver);
      for (const { data } of stream.received)
        if (data?.type === 'listing.created') received.push(data.resource.id);
      lastId = stream.lastId || lastId;
      stream.close();
    }
  };
  const working = work();
  return {
    received,
    run,
    async end() {
      run.isOver = true;
      await working;
    },
  };
}

test.each<[Part]>([['router'], ['identity'], ['seo'], ['translation']])(
  'a rolling restart of every %s under load fails no request, and a stream misses no event',
  async (part) => {
    const users = await Promise.all(Array.from({ length: 2 }, () => shop.user()));
    const known = new Map<SeededUser, string>();
    for (const user of users) known.set(user, (await user.listing({ published: true })).id);
    // A catalogue that a new process of identity has to read before it can search.
    await varyCars(shop, 2000, drawFrom(1));
    const [first] = users as [SeededUser];
    const stream = follow(first);
    await until('the stream is open', async () => stream.run.connections > 0);
    const load = startLoad(users, known);
    await pause(2000);
    const codes: (number | null)[] = [];
    for (const program of fleet.programs[part]) codes.push(await fleet.replace(part, program));
    await pause(2000);
    await load.end();
    expect(codes).toEqual([0, 0, 0]);
    const failed = [...load.outcomes].filter(([outcome]) => !outcome.endsWith(': answered'));
    expect(failed).toEqual([]);
    expect(load.outcomes.get('write: answered')).toBe(load.created.length);
    const stored = await collection('listings')
      .find({ 'owner.id': { $in: users.map(({ id }) => id) }, title: 'Written under load' })
      .toArray();
    expect(stored.map(({ _id }) => _id).sort()).toEqual([...load.created].sort());
    const own = stored.filter((listing) => (listing.owner as { id: string }).id === first.id);
    // The last event is at most a few seconds behind.
    await pause(10_000);
    await stream.end();
    // The event of the listing that was there before may come after the stream was opened.
    const received = stream.received.filter((id) => id !== known.get(first)).sort();
    expect(received).toEqual(own.map(({ _id }) => _id).sort());
    expect(stream.run.connections > 1).toBe(part === 'router' || part === 'identity');
  },
  patienceMs,
);

/** Creates a listing by a process of the fleet, whose relay publishes the event at once. Returns its id. */
async function create({ token }: SeededUser): Promise<string> {
  const body = { categoryId: shop.categories.cars, title: 'A violin', language: 'en' };
  const { status, text, json } = await send({ method: 'POST', path: '/api/v1/listings', token, body });
  if (status !== 201) throw new Error(text);
  return json.id;
}

const subscription =
  'subscription ($after: String) { events(after: $after) { cursor event { type resource { resourceId } } } }';

test(
  'a WebSocket subscription whose router stops continues at another router after its last cursor',
  async () => {
    const user = await shop.user();
    const [leaving] = fleet.programs.router;
    if (!leaving) throw new Error('There is no router.');
    const sockets: SocketClient[] = [];
    const subscribe = (url: string, after: string | null) => {
      const socket = openSocketClient(portOf(url), { host, token: user.token });
      sockets.push(socket);
      return socket.start({ query: subscription, variables: { after } });
    };
    const first = subscribe(leaving.url, null);
    await first.until('the subscription has begun', ({ results }) => results.length > 0);
    const before = await create(user);
    const idsOf = ({ results }: typeof first) =>
      results.flatMap(({ data }) =>
        data?.events.event?.type === 'listing.created' ? [data.events.event.resource.resourceId] : [],
      );
    await first.until('the event arrives', (one) => idsOf(one).length > 0);
    const cursor = first.results.at(-1)?.data?.events.cursor;
    await fleet.replace('router', leaving);
    expect(sockets[0]?.closings).toMatchObject([{ code: 1001 }]);
    const missed = await create(user);
    const second = subscribe(fleet.programs.router[1]?.url ?? '', cursor);
    await second.until('the missed event arrives', (one) => idsOf(one).length > 0);
    const later = await create(user);
    await second.until('the next event arrives', (one) => idsOf(one).length > 1);
    expect([idsOf(first), idsOf(second)]).toEqual([[before], [missed, later]]);
    for (const socket of sockets) await socket.close();
  },
  patienceMs,
);

test(
  'jobs of three processes mail each saved-search alert once, though the process that runs them is replaced',
  async () => {
    const readers = await Promise.all(Array.from({ length: 5 }, () => shop.user()));
    for (const reader of readers) {
      const input = { name: 'Roadsters', query: { q: 'zephyrous' }, alert: 'INSTANT' };
      expect(await reader.createSavedSearch(input as never)).toMatchObject({
        savedSearch: { id: expect.any(String) },
      });
    }
    const seller = await shop.user();
    await seller.listing({ published: true, title: 'A zephyrous roadster' });
    const holder = async () => String((await collection('leases').findOne({ _id: 'identity' }))?.holder);
    const before = await holder();
    for (const program of fleet.programs.identity) await fleet.replace('identity', program);
    expect(await holder()).not.toBe(before);
    const mails = () => shop.records(MailModel).find({ template: 'savedSearchMatches' });
    await until('all alerts are mailed', async () => (await mails()).length >= readers.length);
    // Another run of the jobs would mail them again.
    await pause(35_000);
    expect((await mails()).map(({ to }) => to).sort()).toEqual(readers.map(({ email }) => email).sort());
  },
  patienceMs,
);

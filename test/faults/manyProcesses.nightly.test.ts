import { setTimeout as pause } from 'node:timers/promises';
import { collection } from '../authorization/world/collection.ts';
import type { Fleet } from '../support/fleet/openFleet.ts';
import { openTestFleet, type TestFleet } from '../support/fleet/openTestFleet.ts';
import type { SeededInstallation, SeededUser } from '../support/seed.ts';
import { type EventStream, openEventStream } from '../support/stack/openEventStream.ts';
import {
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
  openHttpClient,
} from '../support/stack/openHttpClient.ts';

// Two routers and two processes of each subgraph run, each kind behind a balancer without sticky sessions.

const patienceMs = 240_000;
const host = 'demo.localhost';
const password = 'plum-tractor-9-violin';

let opened: TestFleet;
let shop: SeededInstallation;
let fleet: Fleet;
let client: HttpClient;

beforeAll(async () => {
  opened = await openTestFleet(2);
  ({ shop, fleet } = opened);
  client = openHttpClient(Number(new URL(fleet.url).port));
}, patienceMs);
afterAll(async () => {
  client.close();
  await opened.close();
}, patienceMs);

const send = (request: HttpRequest): Promise<HttpAnswer> => client.send({ host, ...request });
const offer = (title: string) => ({ categoryId: shop.categories.cars, title, language: 'en' });

/** Polls until a value is found. */
async function until<T>(what: string, find: () => Promise<T | false>): Promise<T> {
  for (const end = Date.now() + patienceMs / 2; Date.now() < end; await pause(300)) {
    const found = await find();
    if (found !== false) return found;
  }
  throw new Error(`Timed out: ${what}.`);
}

test(
  'a listing is translated, read, analysed and joined, with requests to every process',
  async () => {
    const seller = await shop.user();
    const editor = await shop.staff('editor');
    const made = await seller.listing({ published: true, title: 'Volvo 145 estate' });
    const translated = await until('the listing is known to the translation subgraph', async () => {
      const answer = await send({
        method: 'POST',
        path: '/api/rest/translation/v1/translations',
        token: editor.token,
        body: {
          source: { type: 'listing', id: made.id },
          language: 'de',
          status: 'published',
          fields: { title: 'Volvo 145 Kombi', description: 'Ein gesunder Kombi.' },
        },
      });
      return answer.status === 404 ? false : answer;
    });
    expect([translated.status, translated.json]).toMatchObject([201, { status: 'published' }]);
    for (let round = 0; round < 4; round += 1) {
      const read = await send({ path: `/api/v1/listings/${made.id}`, token: seller.token });
      expect([read.status, read.json.title]).toEqual([200, 'Volvo 145 estate']);
      const analysis = await send({
        method: 'POST',
        path: '/api/rest/seo-tools/v1/analysis',
        token: seller.token,
        body: { object: { type: 'listing', id: made.id } },
      });
      expect([analysis.status, analysis.json]).toMatchObject([200, { scores: expect.anything() }]);
      // The process that responds may not have received yet that the listing is public.
      const joined = await until('the translation is live', async () => {
        const answer = await send({
          method: 'POST',
          path: '/graphql',
          token: seller.token,
          body: {
            query:
              'query ($id: ID!) { listing(listingId: $id) { title translations { languageCode fields { title } } } }',
            variables: { id: made.id },
          },
        });
        return answer.json.data?.listing?.translations?.length > 0 && answer;
      });
      expect(joined.json).toEqual({
        data: {
          listing: {
            title: 'Volvo 145 estate',
            translations: [{ languageCode: 'de', fields: { title: 'Volvo 145 Kombi' } }],
          },
        },
      });
    }
    for (const [part, { handed }] of Object.entries(fleet.balancers))
      expect([part, [...handed.values()].map((count) => count > 0)]).toEqual([part, [true, true]]);
  },
  patienceMs,
);

test(
  'processes share rate limits: the stored ones immediately, those in memory after seconds',
  async () => {
    const user = await shop.user({ password });
    const signIn = () =>
      send({
        method: 'POST',
        path: '/api/v1/auth/token',
        body: { grant_type: 'password', username: user.email, password },
      });
    const statuses: number[] = [];
    for (let round = 0; round < 11; round += 1) statuses.push((await signIn()).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    const batch = `{ ${Array.from({ length: 20 }, (_, index) => `a${index}: me { id }`).join(' ')} }`;
    const read = () => send({ path: '/api/v1/me', token: user.token });
    // A new minute resets the budgets, so the requests are repeated.
    await until('a process has the counts of the other one', async () => {
      for (let round = 0; round < 2; round += 1)
        await send({ method: 'POST', path: '/graphql', token: user.token, body: { query: batch } });
      await pause(2500);
      const left = Number(/r=(\d+)/.exec(String((await read()).headers.ratelimit))?.[1]);
      // Of 300 requests, this process counted 20 or 21 itself.
      return left <= 300 - 40;
    });
  },
  patienceMs,
);

test(
  'an event reaches the streams of every router, though one process caused it',
  async () => {
    const seller = await shop.user();
    const streams = await Promise.all(
      fleet.programs.router.map(({ url }) =>
        openEventStream(`http://127.0.0.1:${new URL(url).port}/api/v1/me/events`, {
          token: seller.token,
          headers: { host },
        }),
      ),
    );
    try {
      for (const stream of streams) await stream.until('connected', ({ lastId }) => lastId !== '');
      const { json } = await send({
        method: 'POST',
        path: '/api/v1/listings',
        token: seller.token,
        body: offer('A violin'),
      });
      const hasReceived = ({ received }: EventStream) =>
        received.some(({ data }) => data?.type === 'listing.created' && data.resource?.id === json.id);
      for (const stream of streams) await stream.until('the event', hasReceived);
      expect(streams.map(hasReceived)).toEqual([true, true]);
    } finally {
      for (const stream of streams) stream.close();
    }
  },
  patienceMs,
);

/** Repeats a request with its idempotency key until it is acknowledged. */
function createFor({ token }: SeededUser, key: string): Promise<string> {
  return until(`${key} is acknowledged`, async () => {
    const answer = await send({
      method: 'POST',
      path: '/api/v1/listings',
      token,
      headers: [['idempotency-key', key]],
      body: offer(key),
    }).catch(() => null);
    if (answer?.status === 201) return answer.json.id as string;
    if (answer && answer.status < 500 && answer.status !== 409) throw new Error(answer.text);
    return false;
  });
}

test(
  'killing a router and a subgraph under load loses no acknowledged listing and duplicates none',
  async () => {
    const sellers = [await shop.user(), await shop.user(), await shop.user(), await shop.user()];
    const acknowledged = new Map<string, string>();
    const work = sellers.map(async (seller, index) => {
      for (let round = 0; round < 12; round += 1) {
        const key = `key-${index}-${round}`;
        acknowledged.set(key, await createFor(seller, key));
      }
    });
    await until('the first listings are created', async () => acknowledged.size > 8);
    await fleet.programs.identity[0]?.kill();
    await until('further listings are created', async () => acknowledged.size > 20);
    await fleet.programs.router[0]?.kill();
    await Promise.all(work);
    expect(acknowledged.size).toBe(48);
    const stored = await collection('listings')
      .find({ 'owner.id': { $in: sellers.map(({ id }) => id) } })
      .toArray();
    expect(stored.map(({ _id, title }) => `${String(title)} ${_id}`).sort()).toEqual(
      [...acknowledged].map(([key, id]) => `${key} ${id}`).sort(),
    );
    // The remaining processes answer all requests.
    for (const seller of sellers)
      expect((await send({ path: '/api/v1/listings?limit=20', token: seller.token })).json.data).toHaveLength(
        12,
      );
  },
  patienceMs,
);

import { setTimeout as pause } from 'node:timers/promises';
import { openWorld, type World } from '../authorization/world/openWorld.ts';
import { describeEngines } from './engines.ts';
import { listen, type Subscription, until } from './listen.ts';
import { type EngineWorld, openBehind } from './openBehind.ts';

/** Selects a field of seo for the listing of an event. */
const query = 'subscription { events { cursor event { id type listing { id title seo { id } } } } }';

let world: World;
beforeAll(async () => {
  world = await openWorld({ apart: true });
}, 120_000);
afterAll(() => world.app.close());

describeEngines((engine) => {
  let behind: EngineWorld;
  const open: Subscription[] = [];
  beforeAll(async () => {
    behind = await openBehind(world, engine);
  }, 120_000);
  afterEach(() => {
    for (const subscription of open.splice(0)) subscription.close();
  });
  afterAll(() => behind.close());

  if (engine.eventFormats.length === 0) {
    test('refuses a subscription with an error', async () => {
      const subscription = await listen({
        url: behind.url,
        format: 'text/event-stream',
        token: world.tokenOf('owner'),
        query,
      });
      open.push(subscription);
      await until(subscription, () => subscription.hasEnded() || subscription.results().length > 0);
      const [result] = subscription.results();
      expect(result ?? { errors: [] }).toHaveProperty('errors');
    });
    return;
  }

  describe.each(engine.eventFormats)('with events as %s', (format) => {
    const subscribe = async (token: string | undefined): Promise<Subscription> => {
      const subscription = await listen({ url: behind.url, format, token, query });
      open.push(subscription);
      return subscription;
    };
    const openStreams = (): number => world.app.stack.platform.streams.count;

    test('delivers each event with the fields of other subgraphs', async () => {
      const seller = await world.shop.seller();
      const subscription = await subscribe(seller.token);
      await until(subscription, () => subscription.results().length === 1);
      expect(subscription.status).toBe(200);
      const { id } = await seller.listing({ title: 'Violin' });
      await world.app.stack.runJob('identity.relay');
      await until(subscription, () => subscription.results().length === 2);
      const [first, second] = subscription.results();
      expect(first.data.events).toEqual({ cursor: expect.any(String), event: null });
      expect(second.data.events.event).toEqual({
        id: expect.any(String),
        type: 'listing.created',
        listing: { id, title: 'Violin', seo: null },
      });
    });

    test('returns the single error of a refusal', async () => {
      const subscription = await subscribe(undefined);
      await until(subscription, () => subscription.results().length > 0);
      const [{ errors }] = subscription.results();
      expect(errors).toHaveLength(1);
      expect(errors[0].extensions.problem).toMatchObject({ status: 401, code: 'token_missing' });
    });

    test('ends the stream of the subgraph when the client disconnects', async () => {
      const seller = await world.shop.seller();
      const subscription = await subscribe(seller.token);
      await until(subscription, () => subscription.results().length === 1);
      expect(openStreams()).toBeGreaterThan(0);
      subscription.close();
      for (let round = 0; round < 200 && openStreams() > 0; round++) await pause(50);
      expect(openStreams()).toBe(0);
    });
  });
});

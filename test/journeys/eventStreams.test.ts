import { createLanguageSettings } from '../../subgraphs/translation/languages/language/createLanguageSettings.ts';
import { perTest, product } from '../support/product.ts';
import { type EventStream, openEventStream } from '../support/stack/openEventStream.ts';

const subscription = `subscription ($after: String) {
  events(after: $after) {
    cursor
    event { id type resource { resourceId } listing { id title language { code } seo { id } } message { text seq } }
  }
}`;

describe.each([
  ['with subgraphs in this process', false],
  ['with subgraphs over HTTP', true],
])('a GraphQL event stream %s', (_, apart) => {
  const { stack, market, send } = product({ apart });
  const open: EventStream[] = [];

  beforeAll(async () => {
    await createLanguageSettings(market.installation, { languages: [{ code: 'en' }] });
  });
  const seller = perTest(() => market.user());
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });

  const listen = async (
    token: string | undefined,
    { after, query = subscription }: { after?: string; query?: string } = {},
  ) => {
    const stream = await openEventStream(`http://127.0.0.1:${await stack.port()}/graphql`, {
      ...(token && { token }),
      headers: { host: market.installation.hosts[0] ?? '' },
      body: { query, variables: { after } },
    });
    open.push(stream);
    return stream;
  };
  const relay = () => stack.runJob('identity.relay');
  const deliveries = ({ received }: EventStream) => received.map(({ data }) => data.data?.events);
  const types = (stream: EventStream) => deliveries(stream).map((delivery) => delivery?.event?.type ?? null);
  const connected = (stream: EventStream) => stream.until('connected', ({ received }) => received.length > 0);

  test('delivers each event with fields of other subgraphs, and continues from a cursor', async () => {
    const stream = await listen(seller.token);
    await connected(stream);
    expect(stream).toMatchObject({ status: 200, received: [{ event: 'next' }] });
    expect(types(stream)).toEqual([null]);
    const { id } = await seller.listing({ published: true, title: 'Violin' });
    await relay();
    await stream.until('both events', (one) => types(one).length === 3);
    const [, created, published] = deliveries(stream);
    expect(created.event).toMatchObject({
      type: 'listing.created',
      resource: { resourceId: id },
      listing: { id, title: 'Violin', language: { code: 'en' }, seo: null },
      message: null,
    });
    const again = await listen(seller.token, { after: created.cursor });
    await again.until('the second one', (one) => types(one).length === 2);
    expect(deliveries(again)[1].event).toEqual(published.event);
  });

  test('delivers the events of the REST stream, whose cursors it accepts', async () => {
    const graphql = await listen(seller.token);
    const rest = await openEventStream(`http://127.0.0.1:${await stack.port()}/api/v1/me/events`, {
      token: seller.token,
      headers: { host: market.installation.hosts[0] ?? '' },
    });
    open.push(rest);
    await connected(graphql);
    await rest.until('connected', ({ lastId }) => lastId !== '');
    await seller.listing();
    await relay();
    await rest.until('the event', ({ received }) => received.length === 1);
    await graphql.until('the event', (one) => types(one).length === 2);
    expect(rest.received[0]?.data).toMatchObject({
      id: deliveries(graphql)[1].event.id,
      type: 'listing.created',
    });
    const resumed = await listen(seller.token, { after: rest.received[0]?.data.cursor });
    await connected(resumed);
    expect(types(resumed)).toEqual([null]);
  });

  test('returns 401 without a valid token and 400 for an invalid document', async () => {
    for (const [token, code] of [
      [undefined, 'token_missing'],
      ['nonsense', 'token_malformed'],
    ] as const) {
      const refused = await listen(token);
      await refused.until('its text', ({ hasEnded }) => hasEnded);
      expect(refused.status).toBe(401);
      expect(JSON.parse(refused.text).errors[0].extensions.problem.code).toBe(code);
    }
    const wrong = await listen(seller.token, { query: 'subscription { nothing }' });
    await wrong.until('its text', ({ hasEnded }) => hasEnded);
    expect(wrong.status).toBe(400);
  });

  test('sends the refusal of an invalid cursor in the stream and ends', async () => {
    const refused = await listen(seller.token, { after: 'nonsense' });
    await refused.until('it has ended', ({ hasEnded }) => hasEnded);
    expect(refused.received.map(({ event }) => event)).toEqual(['next', 'complete']);
    expect(refused.received[0]?.data.errors[0].extensions.problem).toMatchObject({
      code: 'invalid_cursor',
      requestId: expect.any(String),
    });
  });

  test('ends when the session of the caller is revoked', async () => {
    const stream = await listen(seller.token);
    await connected(stream);
    const { status } = await send({
      method: 'DELETE',
      path: `/api/v1/me/sessions/${seller.sessionId}`,
      token: seller.token,
    });
    expect(status).toBe(204);
    await stream.until('it has ended', ({ hasEnded }) => hasEnded);
    expect(stream.received.at(-1)?.event).toBe('complete');
  });

  test('returns the single result of a query', async () => {
    const stream = await listen(seller.token, { query: '{ me { id } }' });
    await stream.until('it has ended', ({ hasEnded }) => hasEnded);
    expect(stream.received.map(({ event, data }) => [event, data])).toEqual([
      ['next', { data: { me: { id: seller.id } } }],
      ['complete', null],
    ]);
  });

  test('is required for a subscription, whose refusal names its media type', async () => {
    const answer = await send({
      method: 'POST',
      path: '/graphql',
      token: seller.token,
      body: { query: 'subscription { events { cursor } }' },
    });
    expect(answer.text).toContain('text/event-stream');
    expect(answer.json.errors[0].extensions.problem.code).toBe('malformed_request');
  });

  test('is removed when its client disconnects', async () => {
    const { streams } = stack.platform;
    const stream = await listen(seller.token);
    await connected(stream);
    expect(streams.count).toBeGreaterThan(0);
    stream.close();
    while (streams.count > 0) await new Promise((rested) => setTimeout(rested, 20));
    for (let index = 0; index < 5; index += 1) await connected(await listen(seller.token));
  });
});

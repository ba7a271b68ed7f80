import {
  answeringTransport,
  composeFederation,
  engineOf,
  prepareOrThrow,
} from '../../../test/support/execution/federationFixture.ts';

let ended = 0;
const federation = composeFederation({
  feed: {
    typeDefs: 'type Query { a: Int } type Subscription { posted(count: Int!): Int }',
    resolvers: {
      Subscription: {
        posted: {
          async *subscribe(_: unknown, { count }: { count: number }) {
            try {
              for (let posted = 1; posted <= count; posted++) yield { posted };
            } finally {
              ended++;
            }
          },
        } as never,
      },
    },
  },
});
const engine = engineOf(federation);
const text = 'subscription { posted(count: 100) }';

test('the source of a subscription ends when its consumer returns', async () => {
  const events = await (await prepareOrThrow(engine, text)).subscribe({}, {});
  if (!(Symbol.asyncIterator in events)) throw new Error('no events');
  await events.next();
  await events.return();
  expect(ended).toBe(1);
});

test('executing a subscription and subscribing to a query return OPERATION_RESOLUTION_FAILURE', async () => {
  const refused = { errors: [{ extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } }] };
  expect(await (await prepareOrThrow(engine, text)).execute({}, {})).toMatchObject(refused);
  expect(await (await prepareOrThrow(engine, '{ a }')).subscribe({}, {})).toMatchObject(refused);
});

test('a subscription to a transport without subscriptions is refused when it is prepared', async () => {
  const transports = { feed: answeringTransport(() => ({})) };
  const refused = await engineOf(federation, { transports }).prepareKnown(text);
  expect(refused).toMatchObject({ errors: [{ extensions: { code: 'UNSUPPORTED_QUERY_PLAN' } }] });
});

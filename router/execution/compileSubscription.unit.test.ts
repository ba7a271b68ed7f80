import { GraphQLError } from 'graphql';
import { createEngine } from './createEngine.ts';
import {
  answeringTransport,
  composeFederation,
  localTransports,
  prepareOrThrow,
} from './fixture/federationFixture.ts';

type Row = Record<string, unknown>;

let ended = 0;
const federation = composeFederation({
  feed: {
    typeDefs: `
      type Query { a: Int }
      type Subscription { posted(count: Int!): Post broken: Post }
      type Post { title: String author: User! }
      type User @key(fields: "id") { id: ID! }
    `,
    resolvers: {
      Subscription: {
        posted: {
          async *subscribe(_: unknown, { count }: { count: number }) {
            try {
              for (let i = 1; i <= count; i++)
                yield { posted: { title: `post ${i}`, author: { id: String(i) } } };
            } finally {
              ended++;
            }
          },
        } as never,
        broken: {
          subscribe: () => {
            throw new GraphQLError('no feed', { extensions: { code: 'FORBIDDEN' } });
          },
        } as never,
      },
    },
  },
  people: {
    typeDefs: 'type User @key(fields: "id") { id: ID! name: String! }',
    resolvers: {
      User: { __resolveReference: ({ id }: Row) => (id === '2' ? null : { id, name: `user ${String(id)}` }) },
    },
  },
});
const { supergraphSdl } = federation;
const engine = createEngine({ supergraphSdl, transports: localTransports(federation, true) });
const text = 'subscription ($count: Int!) { new: posted(count: $count) { id: title author { name } } }';

describe('subscriptions', () => {
  test('every event is joined with its entities, and fails alone', async () => {
    const events = await prepareOrThrow(engine, text).subscribe({ count: 3 }, {});
    if (!(Symbol.asyncIterator in events)) throw new Error('no events');
    const seen: unknown[] = [];
    for await (const { data, errors } of events) seen.push([data, errors?.map((error) => error.path)]);
    expect(seen).toEqual([
      [{ new: { id: 'post 1', author: { name: 'user 1' } } }, undefined],
      [{ new: null }, [['new', 'author', 'name']]],
      [{ new: { id: 'post 3', author: { name: 'user 3' } } }, undefined],
    ]);
  });

  test('the source ends when the consumer stops', async () => {
    const events = await prepareOrThrow(engine, text).subscribe({ count: 100 }, {});
    if (!(Symbol.asyncIterator in events)) throw new Error('no events');
    await events.next();
    const before = ended;
    await events.return();
    expect(ended).toBe(before + 1);
  });

  test('what cannot begin is one result with errors', async () => {
    const broken = await prepareOrThrow(engine, 'subscription { broken { title } }').subscribe({}, {});
    expect(broken).not.toHaveProperty('data');
    expect((broken as { errors: GraphQLError[] }).errors[0]?.extensions.code).toBe('FORBIDDEN');
    const invalid = await prepareOrThrow(engine, text).subscribe({}, {});
    expect((invalid as { errors: GraphQLError[] }).errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  test('a subscription is not executed, a query not subscribed to', async () => {
    const subscription = await prepareOrThrow(engine, text).execute({ count: 1 }, {});
    expect(subscription.errors?.[0]?.extensions.code).toBe('OPERATION_RESOLUTION_FAILURE');
    const query = await prepareOrThrow(engine, '{ a }').subscribe({}, {});
    expect((query as { errors: GraphQLError[] }).errors[0]?.extensions.code).toBe(
      'OPERATION_RESOLUTION_FAILURE',
    );
  });

  test('a transport without subscriptions refuses them at preparation', () => {
    const transports = { ...localTransports(federation, true), feed: answeringTransport(() => ({})) };
    const refused = createEngine({ supergraphSdl, transports }).prepare(text);
    expect('errors' in refused && refused.errors[0]?.extensions.code).toBe('UNSUPPORTED_QUERY_PLAN');
  });
});

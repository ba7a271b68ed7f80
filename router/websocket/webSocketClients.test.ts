import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { getMainDefinition } from '@apollo/client/utilities';
import { Client, cacheExchange, fetchExchange, subscriptionExchange } from '@urql/core';
import { Kind, OperationTypeNode } from 'graphql';
import { createClient, type Sink } from 'graphql-ws';
import { createLanguageSettings } from '../../subgraphs/translation/languages/language/createLanguageSettings.ts';
import { product } from '../../test/support/product.ts';
import { type SeededInstallation, type SeededUser, seed } from '../../test/support/seed.ts';

// The clients send no other host than that of the address. In a stack of its own, it is the demonstration's installation.
const { stack } = product({});
let market: SeededInstallation;
let seller: SeededUser;
beforeAll(async () => {
  market = await seed(stack).in(stack.demo);
  await createLanguageSettings(market.installation, { languages: [{ code: 'en' }] });
});
beforeEach(async () => {
  seller = await market.user();
});

const query = '{ me { id } }';
const subscription = 'subscription { events { event { id type listing { id title } } } }';

/** Returns the settings with which both clients connect. */
async function settings() {
  const authority = `127.0.0.1:${await stack.port()}`;
  const authorization = `Bearer ${seller.token}`;
  return {
    url: `http://${authority}/graphql`,
    headers: { authorization },
    socket: createClient({
      url: `ws://${authority}/graphql`,
      connectionParams: () => ({ Authorization: authorization }),
    }),
  };
}

/** Creates a listing when the stream is connected, and returns the types of the events that the client receives. */
async function receive(listen: (next: (data: any) => void) => () => void): Promise<(string | null)[]> {
  const types: (string | null)[] = [];
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const { promise: connected, resolve: connect } = Promise.withResolvers<void>();
  const stop = listen(({ events: { event } }) => {
    types.push(event?.type ?? null);
    connect();
    if (types.length === 3) resolve();
  });
  await connected;
  await seller.listing({ published: true });
  await stack.runJob('identity.relay');
  await done;
  stop();
  return types;
}

const expected = [null, 'listing.created', 'listing.published'];

test('Apollo Client queries over HTTP and subscribes over WebSocket', async () => {
  const { url, headers, socket } = await settings();
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: ApolloLink.split(
      (operation) => {
        const definition = getMainDefinition(operation.query);
        return (
          definition.kind === Kind.OPERATION_DEFINITION &&
          definition.operation === OperationTypeNode.SUBSCRIPTION
        );
      },
      new GraphQLWsLink(socket),
      new HttpLink({ uri: url, headers }),
    ),
  });
  const { data } = await client.query<any>({ query: gql(query) });
  expect(data.me.id).toBe(seller.id);
  const types = await receive((next) => {
    const running = client
      .subscribe<any>({ query: gql(subscription) })
      .subscribe(({ data: received }) => next(received));
    return () => running.unsubscribe();
  });
  expect(types).toEqual(expected);
  client.stop();
  await socket.dispose();
});

test('urql queries over HTTP and subscribes over WebSocket', async () => {
  const { url, headers, socket } = await settings();
  const client = new Client({
    url,
    fetchOptions: { headers },
    // urql aborts a request whose response it has read, which Node reports as an unhandled rejection.
    fetch: (input, options) => fetch(input, { ...options, signal: null }),
    preferGetMethod: false,
    exchanges: [
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: (request) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe({ ...request, query: request.query ?? '' }, sink as Sink),
          }),
        }),
      }),
    ],
  });
  const { data } = await client.query(query, {}).toPromise();
  expect(data.me.id).toBe(seller.id);
  const types = await receive((next) => {
    const running = client.subscription(subscription, {}).subscribe(({ data: received }) => next(received));
    return () => running.unsubscribe();
  });
  expect(types).toEqual(expected);
  await socket.dispose();
});

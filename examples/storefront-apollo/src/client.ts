import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';
import { SIGN_IN } from './operations.ts';

/** Address of the service; another one is the parameter `api` of the page. */
const api = new URLSearchParams(location.search).get('api') ?? 'http://localhost:4000';

/** Access token of the user, for as long as the page is open. An example of renewal is in `packages/client`. */
let token: string | undefined;
const listeners = new Set<() => void>();

const authorization = new SetContextLink(({ headers }) => ({
  headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
}));
const sockets = createClient({
  url: `${api.replace(/^http/, 'ws')}/graphql`,
  connectionParams: () => (token === undefined ? {} : { Authorization: `Bearer ${token}` }),
});

/** The client of this page. Objects are stored by type and id without configuration. */
export const client = new ApolloClient({
  cache: new InMemoryCache(),
  link: ApolloLink.split(
    ({ operationType }) => operationType === 'subscription',
    new GraphQLWsLink(sockets),
    authorization.concat(new HttpLink({ uri: `${api}/graphql` })),
  ),
});

/** The session as a store for `useSyncExternalStore`. */
export const session = {
  isSignedIn: (): boolean => token !== undefined,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  async signIn(username: string, password: string): Promise<void> {
    const { data } = await client.mutate({ mutation: SIGN_IN, variables: { username, password } });
    await change(data?.issueToken.tokens.accessToken);
  },
  signOut: (): Promise<void> => change(undefined),
};

/** What the cache contains depends on the user. */
async function change(next: string | undefined): Promise<void> {
  token = next;
  await client.clearStore();
  for (const listener of listeners) listener();
}

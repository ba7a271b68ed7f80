import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { type DocumentNode, isAbstractType, parse } from 'graphql';
import { Environment, Network, RecordSource, Store } from 'relay-runtime';
import { apiSchema } from '../authorization/matrix/runMatrix.ts';
import type { RandomQuery } from './randomQuery.ts';
import { toRelayOperation } from './toRelayOperation.ts';

/** Data of a response. */
export type Data = Readonly<Record<string, unknown>>;

/** The cache of a client library, configured as documented for clients. */
export interface ClientCache {
  readonly name: string;
  /** Stores a response. */
  write(query: RandomQuery, data: Data): Promise<void>;
  /** Returns the stored response; null if a part of it is not known. */
  read(query: RandomQuery): Promise<Data | null>;
}

const documents = new Map<string, DocumentNode>();

function documentOf({ text }: RandomQuery): DocumentNode {
  const document = documents.get(text) ?? parse(text, { noLocation: true });
  documents.set(text, document);
  return document;
}

/** Types of each interface and union, which a cache cannot derive from responses. */
const possibleTypes = Object.fromEntries(
  Object.values(apiSchema.getTypeMap())
    .filter(isAbstractType)
    .map((type) => [type.name, apiSchema.getPossibleTypes(type).map(({ name }) => name)]),
);

function openApollo(): ClientCache {
  const cache = new InMemoryCache({ possibleTypes });
  const client = new ApolloClient({ cache, link: ApolloLink.empty() });
  return {
    name: 'Apollo InMemoryCache',
    async write(query, data) {
      client.writeQuery({ query: documentOf(query), variables: query.variables, data });
    },
    async read(query) {
      return client.readQuery({ query: documentOf(query), variables: query.variables }) as Data | null;
    },
  };
}

function openUrql(): ClientCache {
  let next: Data = {};
  const client = new Client({
    url: 'http://127.0.0.1/graphql',
    preferGetMethod: false,
    exchanges: [cacheExchange({ possibleTypes, logger: () => undefined }), fetchExchange],
    fetch: async () => Response.json({ data: next }),
  });
  const ask = async (query: RandomQuery, requestPolicy: 'network-only' | 'cache-only') => {
    const { data, error } = await client
      .query(documentOf(query), query.variables, { requestPolicy })
      .toPromise();
    if (error) throw error;
    return (data ?? null) as Data | null;
  };
  return {
    name: 'urql graphcache',
    async write(query, data) {
      next = data;
      await ask(query, 'network-only');
    },
    read: (query) => ask(query, 'cache-only'),
  };
}

/** Identifies a record by type and id, because two types can show different members of one record. */
const getDataID = ({ id }: Readonly<Record<string, unknown>>, typeName: string) =>
  typeof id === 'string' ? `${typeName}:${id}` : null;

function openRelay(): ClientCache {
  const environment = new Environment({
    network: Network.create(() => {
      throw new Error('Relay reads only its store.');
    }),
    store: new Store(new RecordSource(), { gcReleaseBufferSize: 100_000 }),
    getDataID,
  });
  return {
    name: 'Relay store',
    async write(query, data) {
      const operation = toRelayOperation(documentOf(query), query.variables);
      environment.retain(operation);
      environment.commitPayload(operation, data);
    },
    async read(query) {
      const { data, isMissingData } = environment.lookup(
        toRelayOperation(documentOf(query), query.variables).fragment,
      );
      return isMissingData ? null : data;
    },
  };
}

/** Opens an empty cache of each library. */
export const openCaches = (): readonly ClientCache[] => [openApollo(), openUrql(), openRelay()];

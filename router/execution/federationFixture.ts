import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { composeServices } from '@apollo/composition';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { execute, type GraphQLScalarType, type GraphQLSchema, parse } from 'graphql';
import { createHttpTransport } from '../transport/httpTransport.ts';
import { createLocalTransport } from '../transport/localTransport.ts';
import type { SubgraphContext, SubgraphResult, Transport } from '../transport/Transport.ts';
import { createEngine, type Engine, type Prepared } from './createEngine.ts';

/** Test support: real subgraphs, really composed, reached in every way that the router knows. */

type Resolver = (parent: never, args: never, context: never, info: never) => unknown;

export interface SubgraphSource {
  /** Without the federation link, which is added. */
  readonly typeDefs: string;
  readonly resolvers: Readonly<Record<string, Readonly<Record<string, Resolver>> | GraphQLScalarType>>;
}

export interface Federation {
  readonly supergraphSdl: string;
  readonly schemas: Readonly<Record<string, GraphQLSchema>>;
}

const federationLink = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [
  "@key", "@shareable", "@inaccessible", "@requires", "@provides", "@external", "@override", "@interfaceObject"
])\n`;

export function composeFederation(sources: Readonly<Record<string, SubgraphSource>>): Federation {
  const parsed = Object.entries(sources).map(([name, { typeDefs }]) => ({
    name,
    typeDefs: parse(typeDefs.includes('@link') ? typeDefs : federationLink + typeDefs),
    url: `http://${name}.invalid`,
  }));
  const composed = composeServices(parsed);
  if (composed.supergraphSdl === undefined) {
    throw new Error(composed.errors?.map((error) => error.message).join('\n'));
  }
  const schemas: Record<string, GraphQLSchema> = {};
  for (const { name, typeDefs } of parsed) {
    const resolvers = sources[name]?.resolvers ?? {};
    schemas[name] = buildSubgraphSchema([{ typeDefs, resolvers: resolvers as never }]);
  }
  return { supergraphSdl: composed.supergraphSdl, schemas };
}

export function localTransports({ schemas }: Federation, jit: boolean): Record<string, Transport> {
  return mapValues(schemas, (schema) => createLocalTransport(schema, { jit }));
}

export interface OpenEngine {
  readonly way: string;
  readonly engine: Engine;
}

/** One engine per way to reach the subgraphs; they all have to give the same answers. */
export async function openEngines(federation: Federation): Promise<{
  readonly engines: readonly OpenEngine[];
  close(): Promise<void>;
}> {
  const { supergraphSdl } = federation;
  const servers = await Promise.all(
    Object.entries(federation.schemas).map(([name, schema]) => serve(name, schema)),
  );
  const overHttp = Object.fromEntries(
    servers.map(({ name, url }) => [name, createHttpTransport({ name, url, headers: () => ({}) })]),
  );
  const engines = [
    { way: 'in process, compiled', transports: localTransports(federation, true) },
    { way: 'in process, interpreted', transports: localTransports(federation, false) },
    { way: 'over HTTP', transports: overHttp },
  ].map(({ way, transports }) => ({ way, engine: createEngine({ supergraphSdl, transports }) }));
  return {
    engines,
    async close() {
      for (const transport of Object.values(overHttp)) await transport.close?.();
      await Promise.all(servers.map(({ server }) => new Promise((done) => server.close(done))));
    },
  };
}

async function serve(
  name: string,
  schema: GraphQLSchema,
): Promise<{ name: string; url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { query, variables } = JSON.parse(Buffer.concat(chunks).toString()) as {
      query: string;
      variables: Record<string, unknown>;
    };
    const result = await execute({
      schema,
      document: parse(query),
      variableValues: variables,
      contextValue: {},
    });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { name, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`, server };
}

/** Counts the requests that a transport sends. */
export function countRequests(transport: Transport): {
  readonly transport: Transport;
  readonly sent: string[];
} {
  const sent: string[] = [];
  return {
    sent,
    transport: {
      ...transport,
      compile(document, text, ...rest) {
        const request = transport.compile(document, text, ...rest);
        return (variables, context) => {
          sent.push(text);
          return request(variables, context);
        };
      },
    },
  };
}

/** A transport whose subgraph always answers this. */
export function answeringTransport(
  answer: (variables: Readonly<Record<string, unknown>>, context: SubgraphContext) => SubgraphResult,
): Transport {
  return { conforming: false, compile: () => answer };
}

export function prepareOrThrow(engine: Engine, text: string, operationName?: string): Prepared {
  const prepared = engine.prepare(text, operationName);
  if ('errors' in prepared)
    throw new Error(`${prepared.errors.map((error) => error.message).join('\n')}\n${text}`);
  return prepared;
}

export function mapValues<T, R>(
  record: Readonly<Record<string, T>>,
  map: (value: T, key: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

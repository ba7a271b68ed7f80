import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { EventStreams } from '../../subgraphs/platform/http/EventStreams.ts';
import { composeFederation } from '../execution/fixture/federationFixture.ts';
import { createRequestHandler } from './createRequestHandler.ts';
import { openStandalone, type Standalone } from './openStandalone.ts';
import { readOptions } from './readOptions.ts';

/** Test support: two small subgraphs that are nobody's product, and a router of them. */

type Row = Record<string, unknown>;

const people: Readonly<Record<string, Row>> = { 1: { id: '1', name: 'Ada' }, 2: { id: '2', name: 'Bob' } };

export const library = composeFederation({
  people: {
    typeDefs: `
      type Query { person(id: ID!): Person people: [Person!] }
      type Mutation { rename(id: ID!, name: String!): Person }
      type Person @key(fields: "id") { id: ID! name: String }
    `,
    resolvers: {
      Query: {
        person: (_: unknown, { id }: Row) => people[String(id)],
        people: () => Object.values(people),
      },
      Mutation: { rename: (_: unknown, { id, name }: Row) => ({ id, name }) },
      Person: { __resolveReference: ({ id }: Row) => people[String(id)] },
    },
  },
  books: {
    typeDefs: `
      type Query { books: [Book!] }
      type Book { title: String author: Person }
      type Person @key(fields: "id") { id: ID! books: [Book!] }
    `,
    resolvers: {
      Query: { books: () => [{ title: 'Notes', author: { id: '1' } }] },
      Person: { books: ({ id }: Row) => (id === '1' ? [{ title: 'Notes' }] : []) },
    },
  },
});

/** A file in a folder of its own. */
export async function writeSupergraph(text: string): Promise<{ file: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'standalone-'));
  const file = path.join(folder, 'supergraph.graphql');
  await writeFile(file, text);
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Arguments that replace the addresses of the supergraph. */
export function urlArguments(urls: Readonly<Record<string, string>>): string[] {
  return Object.entries(urls).flatMap(([name, url]) => ['--subgraph-url', `${name}=${url}`]);
}

export interface OpenRouter {
  readonly url: string;
  readonly standalone: Standalone;
  /** Lines of its log. */
  readonly log: Row[];
  ask(query: string, init?: { headers?: Record<string, string>; variables?: Row }): Promise<Row>;
  close(): Promise<void>;
}

/** A router in this process, as the command line would start it. */
export async function openRouter(args: readonly string[]): Promise<OpenRouter> {
  const options = readOptions(args);
  const lines: Row[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line) as Row) });
  const standalone = await openStandalone(options, log);
  const streams = new EventStreams();
  const handle = createRequestHandler({ standalone, streams, options, log, isReady: () => true });
  const server: Server = createServer(handle);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    standalone,
    log: lines,
    async ask(query, { headers = {}, variables } = {}) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      });
      return (await response.json()) as Row;
    },
    async close() {
      streams.end();
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
      await standalone.close();
    },
  };
}

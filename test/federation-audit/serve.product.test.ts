import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { composeFederation, serveSubgraphs } from '../support/execution/federationFixture.ts';
import { startProgram } from '../support/stack/startProgram.ts';

test('the audit server answers a join from a supergraph file over the subgraphs that it names', async () => {
  const federation = composeFederation({
    people: {
      typeDefs: 'type Query { person: Person } type Person @key(fields: "id") { id: ID! name: String }',
      resolvers: { Query: { person: () => ({ id: '1', name: 'Ada' }) } },
    },
    books: {
      typeDefs: 'type Person @key(fields: "id") { id: ID! books: [String!] }',
      resolvers: { Person: { books: () => ['Notes'] } },
    },
  });
  const subgraphs = await serveSubgraphs(federation);
  const folder = await mkdtemp(path.join(tmpdir(), 'federation-audit-'));
  const file = path.join(folder, 'supergraph.graphql');
  const sdl = Object.entries(subgraphs.urls).reduce(
    (text, [name, url]) => text.replace(`http://${name}.invalid`, url),
    federation.supergraphSdl,
  );
  await writeFile(file, sdl);
  const program = await startProgram('audit', 'test/federation-audit/serve.ts', {}, [file, '0']);
  try {
    const response = await fetch(`${program.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ person { name books } }' }),
    });
    expect(await response.json()).toEqual({ data: { person: { name: 'Ada', books: ['Notes'] } } });
    expect((await fetch(`${program.url}/health`)).status).toBe(200);
  } finally {
    await program.stop();
    await subgraphs.close();
    await rm(folder, { recursive: true });
  }
});

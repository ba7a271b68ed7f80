import { readFileSync } from 'node:fs';
import { createEngine } from '../router/execution/createEngine.ts';
import type { Engine, Prepared, Refused } from '../router/execution/Engine.ts';
import { type DocumentStores, findDocument, prepareFound } from '../router/operations/findDocument.ts';
import { RegisteredOperations } from '../router/operations/RegisteredOperations.ts';
import { RememberedQueries } from '../router/operations/RememberedQueries.ts';
import { hashOf } from '../router/operations/readOperations.ts';
import type { Transport } from '../router/transport/Transport.ts';
import { documents } from './gateway/loads.ts';

/**
 * `npm run bench:router`: what it costs to come from the body of a request to an operation that was planned before. The body
 * is parsed anew every time, as that of every request is: a text that was looked up before would know its own hash.
 */

const goalMicros = 20;
const warmUp = 20_000;
const times = 100_000;

const silent: Transport = { conforming: true, compile: () => () => ({ data: null }) };
const engine = createEngine({
  supergraphSdl: readFileSync(new URL('../schema/supergraph.graphql', import.meta.url), 'utf8'),
  transports: { identity: silent, seo: silent, translation: silent },
});
const remembered = new RememberedQueries();
const registered = new RegisteredOperations(
  Object.entries(documents).map(([id, text]) => ({ id, text })),
  engine,
);

try {
  for (const name of ['me', 'join'] as const) await reportDocument(name);
} finally {
  engine.close();
}

async function reportDocument(name: keyof typeof documents): Promise<void> {
  const query = documents[name];
  const variables = { listingId: 'lst_01J00000000000000000000000' };
  const persistedQuery = { version: 1, sha256Hash: hashOf(query) };
  remembered.remember(persistedQuery.sha256Hash, query);
  console.log(`${name}, ${query.length} characters`);
  await reportWay('whole text', { query, variables }, { remembered });
  await reportWay(
    'whole text, registered only',
    { query, variables },
    { remembered, registered, registeredOnly: true },
  );
  await reportWay('id of a registered one', { documentId: name, variables }, { remembered, registered });
  await reportWay('hash, automatic', { variables, extensions: { persistedQuery } }, { remembered });
}

async function reportWay(title: string, members: object, stores: DocumentStores): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(members));
  for (let at = 0; at < warmUp; at++) assertFound(await lookUp(bytes, stores, engine));
  const before = process.cpuUsage();
  for (let at = 0; at < times; at++) await lookUp(bytes, stores, engine);
  const { user, system } = process.cpuUsage(before);
  const micros = (user + system) / times;
  console.log(`  ${title.padEnd(28)} ${micros.toFixed(1).padStart(5)} µs of CPU  (goal below ${goalMicros})`);
}

/** As the endpoint does it: from bytes to text, to a document, to an operation. */
function lookUp(
  bytes: Buffer,
  stores: DocumentStores,
  on: Engine,
): Prepared | Refused | Promise<Prepared | Refused> {
  const asked = { method: 'POST', url: '/', contentType: 'application/json', body: bytes.toString('utf8') };
  const found = findDocument(asked, stores);
  const body = typeof found.body === 'string' ? (JSON.parse(found.body) as { query: string }) : found.body;
  return prepareFound(on, found, String(body.query), undefined);
}

function assertFound(result: Prepared | Refused): void {
  if ('errors' in result) throw new Error(result.errors.map(({ message }) => message).join('; '));
}

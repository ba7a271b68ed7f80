import { readFileSync } from 'node:fs';
import pino from 'pino';
import { createEngine } from '../router/execution/createEngine.ts';
import type { Engine, Prepared, Refused } from '../router/execution/Engine.ts';
import { type DocumentStores, findDocument, prepareFound } from '../router/operations/findDocument.ts';
import { RegisteredOperations } from '../router/operations/RegisteredOperations.ts';
import { RememberedQueries } from '../router/operations/RememberedQueries.ts';
import { hashOf } from '../router/operations/readOperations.ts';
import type { Transport } from '../router/transport/Transport.ts';
import { countPrepared } from '../router/usage/countPrepared.ts';
import type { RequestContext } from '../subgraphs/platform/context/RequestContext.ts';
import { openUsageLedger } from '../subgraphs/platform/usage/UsageLedger.ts';
import { benchmark } from './harness/benchmark.ts';
import { interleave, ratiosOf } from './harness/interleave.ts';
import { documents } from './harness/loads.ts';
import { describeRatios, medianOf, report } from './harness/report.ts';

/**
 * Measures the cost from the body of a request to an already planned operation. The body is parsed anew each time, as
 * for every request, because a text that was looked up before has a cached hash.
 */

const goalMicros = 20;

export default benchmark({
  measures: 'CPU from the bytes of a request to its planned operation, each way beside the whole text',
  settings: {
    rounds: { usual: 10, quick: 1, means: 'rounds in which the ways take turns' },
    times: { usual: 10_000, quick: 200, means: 'requests of a round' },
  },
  async measure({ rounds, times }) {
    const silent: Transport = { conforming: true, compile: () => () => ({ data: null }) };
    const engine = createEngine({
      supergraphSdl: readFileSync(new URL('../schema/supergraph.graphql', import.meta.url), 'utf8'),
      transports: { identity: silent, seo: silent, translation: silent },
    });
    try {
      for (const name of ['me', 'join'] as const) await reportDocument(engine, name, rounds, times);
      await reportUsage(engine, rounds, times);
    } finally {
      engine.close();
    }
  },
});

async function reportDocument(
  engine: Engine,
  name: keyof typeof documents,
  rounds: number,
  times: number,
): Promise<void> {
  const remembered = new RememberedQueries();
  const operations = Object.entries(documents).map(([id, text]) => ({ id, text }));
  const registered = await RegisteredOperations.prepare(operations, engine);
  const query = documents[name];
  const variables = { listingId: 'lst_01J00000000000000000000000' };
  const persistedQuery = { version: 1, sha256Hash: hashOf(query) };
  remembered.remember(persistedQuery.sha256Hash, query);
  const cost = (members: object, stores: DocumentStores) => () => costOf(engine, members, stores, times);
  const all = { remembered, registered };
  const ways = {
    'whole text': cost({ query, variables }, { remembered }),
    'whole text, registered only': cost({ query, variables }, { ...all, registeredOnly: true }),
    'id of a registered one': cost({ documentId: name, variables }, all),
    'hash, automatic': cost({ variables, extensions: { persistedQuery } }, { remembered }),
  };
  await interleave(2, ways);
  const micros = await interleave(rounds, ways);
  for (const [way, each] of Object.entries(micros)) {
    const ratios = describeRatios(ratiosOf(each, micros['whole text'], (one) => one));
    const median = medianOf(each, (one) => one).toFixed(1);
    report(`${name}, ${way}`, `${median} µs (goal below ${goalMicros}); : whole text ${ratios}`);
  }
}

/** Compares executions that the usage ledger counts with ones that it does not; the subgraphs respond at once. */
async function reportUsage(engine: Engine, rounds: number, times: number): Promise<void> {
  const prepared = await engine.prepare(documents.me);
  assertFound(prepared);
  const ledger = openUsageLedger(
    { retentionDays: 90, intervalMs: 3_600_000 },
    { log: pino({ level: 'silent' }), now: Date.now, telemetry: undefined },
  );
  const counted = countPrepared(prepared, { ledger, schema: () => engine.apiSchema, isKnown: true });
  const context = {
    installationId: 'ins_bench',
    clientName: 'dealer-sync',
    viewerOrNull: null,
  } as RequestContext;
  const cost = (operation: Prepared) => async () => {
    const before = process.cpuUsage();
    for (let at = 0; at < times; at++) await operation.execute({}, context);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
  };
  const ways = { on: cost(counted), off: cost(prepared) };
  await interleave(2, ways);
  const micros = await interleave(rounds, ways);
  const [on, off] = [micros.on, micros.off].map((each) => medianOf(each, (one) => one));
  report('execution, usage ledger on : off', `${on?.toFixed(2)} : ${off?.toFixed(2)} µs`);
}

/** Returns the CPU time of one of many calls in microseconds. */
async function costOf(
  engine: Engine,
  members: object,
  stores: DocumentStores,
  times: number,
): Promise<number> {
  const bytes = Buffer.from(JSON.stringify(members));
  assertFound(await lookUp(bytes, stores, engine));
  const before = process.cpuUsage();
  for (let at = 0; at < times; at++) await lookUp(bytes, stores, engine);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

/** Looks up an operation as the endpoint does: from bytes to text, to a document, to an operation. */
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

function assertFound(result: Prepared | Refused): asserts result is Prepared {
  if ('errors' in result) throw new Error(result.errors.map(({ message }) => message).join('; '));
}

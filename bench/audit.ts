import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execute, type GraphQLSchema, parse } from 'graphql';
import pino from 'pino';
import { readCarListings } from '../start/demonstration/carListings.ts';
import type { Identity } from '../subgraphs/platform/auth/Identity.ts';
import { Viewer } from '../subgraphs/platform/auth/Viewer.ts';
import { openPlatform } from '../subgraphs/platform/context/openPlatform.ts';
import type { Platform } from '../subgraphs/platform/context/Platform.ts';
import { platformModels } from '../subgraphs/platform/context/platformModels.ts';
import { RequestContext } from '../subgraphs/platform/context/RequestContext.ts';
import { newId } from '../subgraphs/platform/ids/newId.ts';
import type { Installation } from '../subgraphs/platform/installation/Installation.ts';
import { InstallationModel } from '../subgraphs/platform/installation/Installations.ts';
import { createFileTransport } from '../subgraphs/platform/mail/createFileTransport.ts';
import { connectMongo } from '../subgraphs/platform/mongo/connectMongo.ts';
import { syncIndexes } from '../subgraphs/platform/mongo/syncIndexes.ts';
import { createSecrets } from '../subgraphs/platform/secrets/deriveSecret.ts';
import { createDiskStorage } from '../subgraphs/platform/storage/diskStorage.ts';
import { buildSeo } from '../subgraphs/seo/server.ts';
import { withPrograms } from './withPrograms.ts';

/**
 * `npm run bench:audit`: processor time of this process, threads included, for a batch of five objects of 1,000 words
 * that were never analysed: from the operation of the subgraph to its answer, on a real database. The owner of the
 * objects answers from memory, and the caller is known: neither is part of a batch.
 */

const words = 1000;
const batchSize = 5;
const warmUps = 15;
const batches = 60;
const goalMs = 60;

await withPrograms('audit', async (start) => {
  const database = await start('database', 'start/database.ts');
  const uri = database.ready.replace('MONGODB_URI=', '');
  const connection = await connectMongo({ uri, database: 'audit_bench' });
  const folder = await mkdtemp(path.join(tmpdir(), 'trigate-audit-bench-'));
  try {
    await run(folder);
  } finally {
    await connection.close();
    await rm(folder, { recursive: true, force: true });
  }
});

async function run(folder: string): Promise<void> {
  const { schema, models } = buildSeo();
  await syncIndexes([...platformModels, ...models]);
  const installationId = newId('session').replace('ses', 'ins');
  await InstallationModel.create({
    _id: installationId,
    name: 'bench',
    hosts: ['bench.localhost'],
    baseUrl: 'http://bench.localhost',
    defaultCurrency: 'EUR',
    locales: ['en'],
    settings: {},
    createdAt: new Date(),
  });
  const platform = await open(installationId, folder);
  const installation = platform.installations.all.find(({ id }) => id === installationId);
  if (!installation) throw new Error('There is no installation.');
  const ask = askerOf(schema, platform, installation);
  const items = Array.from({ length: (warmUps + batches) * batchSize }, () => ({
    type: 'LISTING',
    id: newId('listing'),
  }));
  const started = await ask(
    'mutation ($input: StartSeoAuditInput!) { startSeoAudit(input: $input) { job { id nextItemIds } } }',
    { items },
  );
  const { id: jobId } = started.startSeoAudit.job;
  let itemIds: string[] = started.startSeoAudit.job.nextItemIds;
  const spent: number[] = [];
  const taken: number[] = [];
  while (itemIds.length > 0) {
    const [cpu, begun] = [process.cpuUsage(), performance.now()];
    const { runSeoAuditBatch: batch } = await ask(
      `mutation ($input: RunSeoAuditBatchInput!) { runSeoAuditBatch(input: $input) {
        processed { state score } job { state nextItemIds } } }`,
      { jobId, itemIds },
    );
    const { user, system } = process.cpuUsage(cpu);
    spent.push((user + system) / 1000);
    taken.push(performance.now() - begun);
    if (batch.processed.some(({ state }) => state !== 'SUCCEEDED')) throw new Error(JSON.stringify(batch));
    itemIds = batch.job.nextItemIds;
  }
  print('processor', spent.slice(warmUps), `goal at most ${goalMs} ms`);
  print('clock', taken.slice(warmUps), 'of which the database is most');
  await platform.close();
}

type Ask = (source: string, input: object) => Promise<Answers>;

/** What the mutations of a job answer. */
interface Answers {
  startSeoAudit: { job: { id: string; nextItemIds: string[] } };
  runSeoAuditBatch: { processed: { state: string }[]; job: { nextItemIds: string[] } };
}

/** Executes mutations as the bench. */
function askerOf(schema: GraphQLSchema, platform: Platform, installation: Installation): Ask {
  return async (source, input) => {
    const contextValue = new RequestContext(platform, {
      installation,
      clientAddress: '127.0.0.1',
      userAgent: 'bench',
    });
    const result = await execute({
      schema,
      document: parse(source),
      variableValues: { input },
      contextValue,
    });
    if (!result.data) throw new Error(JSON.stringify(result.errors));
    return result.data as unknown as Answers;
  };
}

function print(name: string, values: number[], note: string): void {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(1);
  console.log(
    `${name.padEnd(10)} median ${at(0.5)} ms, p95 ${at(0.95)} ms of ${sorted.length} batches of ${batchSize} x ${words} words (${note})`,
  );
}

async function open(installationId: string, folder: string) {
  const texts = readCarListings().map(({ description }) => description);
  let next = 0;
  const platform = await openPlatform({
    issuer: 'http://issuer.test',
    secrets: createSecrets(Buffer.alloc(32, 7)),
    log: pino({ level: 'silent' }),
    mail: createFileTransport(folder, { from: 'no-reply@localhost' }),
    storage: createDiskStorage(folder),
    rateLimits: false,
    askOwner: async ({ representations }) => ({
      _entities: representations.map(({ id }) => ({
        id,
        ownerId: null,
        viewerCanRead: true,
        viewerCanEdit: true,
        viewerOnlyReads: false,
        contentVersion: 1,
        content: {
          languageTag: 'en',
          visibility: 'PUBLIC' as const,
          url: null,
          slug: null,
          title: 'A car',
          html: toHtml(texts, (next += 1)),
          fields: {},
        },
      })),
    }),
  });
  const viewer = new Viewer(
    {
      subject: newId('user'),
      subjectType: 'user',
      installationId,
      sessionId: newId('session'),
      scopes: new Set(['user']),
      authTime: Math.floor(Date.now() / 1000),
      amr: ['pwd', 'otp'],
      expiresAt: Math.floor(Date.now() / 1000) + 3600,
    },
    { state: 'active', emailVerified: true, roles: ['installation_admin'], memberships: [] },
  );
  const identify = (): Identity => ({ kind: 'accepted', viewer });
  return { ...platform, identify };
}

/** Descriptions in another order every time, cut to the number of words. */
function toHtml(texts: readonly string[], seed: number): string {
  const chosen: string[] = [];
  for (let index = seed; chosen.length < words; index += 7)
    chosen.push(...(texts[index % texts.length] ?? 'car').split(/\s+/));
  const paragraphs = Array.from({ length: 10 }, (_, part) =>
    chosen.slice((part * words) / 10, ((part + 1) * words) / 10).join(' '),
  );
  return paragraphs.map((text, index) => `<h2>Part ${index + 1}</h2><p>${text}</p>`).join('');
}

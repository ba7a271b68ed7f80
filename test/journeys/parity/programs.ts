import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Program, startProgram } from '../../support/stack/startProgram.ts';
import { compareStyles } from './parity.ts';

export const password = 'journey-password-1';
/** Limit of a test that starts and seeds the product on a busy machine. */
export const patienceMs = 240_000;

export let dataDir: string;
export const running: Program[] = [];

/** Starts a program of the project with the file's data folder. It stops at the end of the file. */
export async function start(
  script: string,
  environment: Record<string, string> = {},
  args: string[] = [],
): Promise<Program> {
  const settings = {
    DATA_DIR: dataDir,
    DEMO_PASSWORD: password,
    DEMO_SAMPLES: 'off',
    PORT: '0',
    MONGODB_URI: '',
    ISSUER: 'http://issuer.test',
    RATE_LIMITS: 'off',
    ...environment,
  };
  const program = await startProgram(path.basename(script), script, settings, args);
  running.push(program);
  return program;
}

/** Database and subgraphs, each in a separate process. */
export interface Parts {
  /** Settings with which a router or a signer reaches them. */
  readonly urls: Record<string, string>;
  readonly seo: Program;
  /** Starts the seo subgraph again at this address. */
  startSeo(url: string): Promise<Program>;
}

/** Starts the database and one process of each subgraph, with demonstration data. */
export async function startParts(): Promise<Parts> {
  const anyPort = 'http://127.0.0.1:0/';
  // Only the product in one process creates the demonstration.
  const product = await start('bin/main.ts');
  running.splice(running.indexOf(product), 1);
  await product.stop();
  const database = await start('bin/database.ts');
  const uri = new URL(database.ready.replace('MONGODB_URI=', ''));
  uri.pathname = '/trigate';
  const shared = { MONGODB_URI: uri.href, MIGRATE_ON_START: 'on' };
  const identity = await start('bin/subgraph.ts', { ...shared, IDENTITY_URL: anyPort }, ['identity']);
  const known = { ...shared, IDENTITY_URL: identity.url };
  const startSeo = (url: string) => start('bin/subgraph.ts', { ...known, SEO_URL: url }, ['seo']);
  const [seo, translation] = await Promise.all([
    startSeo(anyPort),
    start('bin/subgraph.ts', { ...known, TRANSLATION_URL: anyPort }, ['translation']),
  ]);
  return { urls: { ...known, SEO_URL: seo.url, TRANSLATION_URL: translation.url }, seo, startSeo };
}

async function stopAll(): Promise<(number | null)[]> {
  return Promise.all(
    running
      .splice(0)
      .reverse()
      .map((program) => program.stop()),
  );
}

/** Declares the hooks that create the data folder and stop the programs. */
export function usePrograms(): void {
  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-journey-'));
  });
  afterAll(async () => {
    await stopAll();
    await rm(dataDir, { recursive: true, force: true });
  });
}

/** Differences between REST and GraphQL, over every operation of the product at `url`. */
export async function differences(url: string, graphqlUrl = url): Promise<string[]> {
  const findings = await compareStyles(url, password, graphqlUrl);
  expect(findings.length).toBeGreaterThan(40);
  return findings.flatMap(({ what, difference }) => (difference === null ? [] : [`${what}: ${difference}`]));
}

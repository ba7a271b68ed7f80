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

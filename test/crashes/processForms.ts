import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { startJobs } from '../../subgraphs/platform/jobs/startJobs.ts';
import { openHttpClient } from '../support/openHttpClient.ts';
import type { TestStack } from '../support/openTestStack.ts';
import { type Program, startProgram } from '../support/startProgram.ts';
import type { StripeProduct } from '../support/stripeProduct.ts';
import { type Cut, Life, live } from './Cut.ts';

/** A process of the product. */
export interface Process {
  readonly client: ReturnType<typeof openHttpClient>;
  /** Ends it without any further write. */
  kill(): Promise<void>;
  stop(): Promise<unknown>;
}

/** Starts and ends the processes of one form. */
export interface Processes {
  /** Pause before an order is sent again. */
  readonly retryMs: number;
  /** The product. With cuts, its requests stand still at them and it runs no jobs. */
  startProduct(cuts?: readonly Cut[]): Promise<Process>;
  /** Runs jobs alone, until the cut. */
  startWorker(jobs: readonly string[], cuts?: readonly Cut[]): Promise<Process>;
  /** Number of cuts that were reached. */
  cuts(): Promise<number>;
  close(): Promise<void>;
}

/** Programs, killed by SIGKILL. */
export async function killProcesses({ stripe }: StripeProduct): Promise<Processes> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-fault-'));
  const uri = new URL(process.env.MONGODB_URI ?? '');
  uri.pathname = `/${mongoose.connection.name}`;
  const environment = {
    MONGODB_URI: uri.href,
    DATA_DIR: dataDir,
    // Secret of the test's own stack, so that its tokens are valid in the programs.
    TRIGATE_SECRET: '\u0007'.repeat(32),
    DEMO: 'off',
    PORT: '0',
    ISSUER: 'http://issuer.test',
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRETS: stripe.webhookSecret,
    STRIPE_API_BASE: stripe.baseUrl,
    LEASE_MS: '1500',
  };
  const programs: Program[] = [];
  const start = async (
    script: string,
    more: Record<string, string> = {},
    args: readonly string[] = [],
  ): Promise<Process> => {
    const program = await startProgram('product', script, { ...environment, ...more }, args);
    programs.push(program);
    const client = openHttpClient(Number(program.url.split(':').at(-1)) || 0);
    const closing = (end: () => Promise<unknown>) => async () => {
      client.close();
      await end();
    };
    return { client, kill: closing(program.kill), stop: closing(program.stop) };
  };
  return {
    retryMs: 2000,
    startProduct: (cuts) =>
      cuts
        ? start('test/crashes/cutProduct.ts', { CUTS: JSON.stringify(cuts), JOBS: 'off' })
        : start('start/main.ts'),
    startWorker: (jobs, cuts = []) =>
      start('test/crashes/cutWorker.ts', { CUTS: JSON.stringify(cuts) }, jobs),
    cuts: () => mongoose.connection.collection('cuts').countDocuments(),
    async close() {
      await Promise.all(programs.map((program) => program.stop()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Jobs that complete operations with money. */
const moneyJobs = ['payment-checks', 'payouts', 'refunds', 'disputes', 'ledger-recovery'];
/** Longer than the leases of a killed process, so that its successor goes on at once. */
const laterMs = 60_000;

/** Stacks of this process. Each has its own clock, which is a minute ahead of that of its predecessor. */
export function holdProcesses({ stack }: StripeProduct): Processes {
  let reached = 0;
  let aheadMs = 0;
  const running = new Set<Process>();
  async function start(jobs: readonly string[], cuts: readonly Cut[], isServed: boolean): Promise<Process> {
    const successor = await stack.successor();
    successor.advance(aheadMs);
    aheadMs += laterMs;
    const life = new Life(cuts, () => (reached += 1));
    const [port, worker] = await live(life, async () => [
      isServed ? await successor.port() : 0,
      startOften(successor, jobs),
    ]);
    const client = openHttpClient(port);
    const stop = async () => {
      if (!running.delete(process)) return;
      client.close();
      await worker.close();
      await successor.close();
    };
    const process = {
      client,
      stop,
      async kill() {
        life.end();
        await stop();
      },
    };
    running.add(process);
    return process;
  }
  return {
    retryMs: 20,
    startProduct: (cuts) => start(cuts ? [] : moneyJobs.map((name) => `identity.${name}`), cuts ?? [], true),
    startWorker: (jobs, cuts = []) => start(jobs, cuts, false),
    cuts: async () => reached,
    async close() {
      for (const process of running) await process.stop();
    },
  };
}

function startOften({ subgraphs, platform }: TestStack, names: readonly string[]) {
  const jobs = subgraphs.flatMap((subgraph) => subgraph.jobs).filter(({ name }) => names.includes(name));
  expect(jobs).toHaveLength(names.length);
  const often = jobs.map((job) => ({ ...job, everyMs: 20 }));
  return startJobs(often, platform, { leaseMs: 300, retryMs: 20, closeMs: 0 });
}

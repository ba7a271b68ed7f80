import mongoose from 'mongoose';
import { startJobs } from '../../subgraphs/platform/jobs/startJobs.ts';
import { openHttpClient } from '../support/stack/openHttpClient.ts';
import type { TestStack } from '../support/stack/openTestStack.ts';
import type { StripeProduct } from '../support/stripeProduct.ts';
import { type Cut, Life, live } from './Cut.ts';
import { openPrograms } from './openPrograms.ts';

/** A process of the product. */
export interface Process {
  readonly client: ReturnType<typeof openHttpClient>;
  /** Ends the process without any further write. */
  kill(): Promise<void>;
  stop(): Promise<unknown>;
}

/** Starts and ends the processes of one form. */
export interface Processes {
  /** Pause before an order is sent again. */
  readonly retryMs: number;
  /** Starts the product. With cuts, its requests block at them and it runs no jobs. */
  startProduct(cuts?: readonly Cut[]): Promise<Process>;
  /** Runs only jobs, until the cut. */
  startWorker(jobs: readonly string[], cuts?: readonly Cut[]): Promise<Process>;
  /** Number of cuts that were reached. */
  cuts(): Promise<number>;
  close(): Promise<void>;
}

/** Programs that are killed with SIGKILL. */
export async function killProcesses({ stripe }: StripeProduct): Promise<Processes> {
  const { start, close } = await openPrograms({
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRETS: stripe.webhookSecret,
    STRIPE_API_BASE: stripe.baseUrl,
    LEASE_MS: '1500',
  });
  return {
    retryMs: 500,
    startProduct: (cuts) =>
      cuts ? start('test/crashes/cutProduct.ts', { CUTS: JSON.stringify(cuts), JOBS: 'off' }) : start(),
    startWorker: (jobs, cuts = []) =>
      start('test/crashes/cutWorker.ts', { CUTS: JSON.stringify(cuts) }, jobs),
    cuts: () => mongoose.connection.collection('cuts').countDocuments(),
    close,
  };
}

/** Jobs that complete operations with money. */
const moneyJobs = ['payment-checks', 'payouts', 'refunds', 'disputes'];
/** Longer than the leases of a killed process, so that its successor continues at once. */
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

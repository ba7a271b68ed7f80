import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildSeo } from '../server.ts';
import { AiMonthModel, AiSpendingModel } from './model.ts';
import { reserve } from './reserve.ts';

const program = fileURLToPath(new URL('./fixture/spendUntilKilled.ts', import.meta.url));
const patienceMs = 90_000;

let stack: TestStack;
const children: ChildProcess[] = [];

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo] });
});
afterAll(async () => {
  for (const child of children) if (child.kill('SIGKILL')) await once(child, 'exit');
  await stack.close();
});

/** A process that spends; answers what it says was settled, as it says it. */
function start(name: string): { settled: string[]; kill(): Promise<void> } {
  const args = [program, process.env.MONGODB_URI ?? '', mongoose.connection.name, name];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const settled: string[] = [];
  createInterface(child.stdout).on('line', (id) => settled.push(id));
  return {
    settled,
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (const end = Date.now() + patienceMs / 3; Date.now() < end; await pause(20)) if (holds()) return;
  throw new Error(`It did not come to it: ${what}.`);
}

test(
  'of processes that are killed while they spend, the month and its ledger agree on every millionth',
  async () => {
    const spenders = ['first', 'second', 'third'].map(start);
    for (const { settled, kill } of spenders) {
      await until('it spends', () => settled.length > 40);
      await kill();
    }
    stack.advance(121_000);
    const context = stack.contextFor({ as: await stack.signIn() });
    await context.identify();
    const caps = { monthlyCostCapMicros: 1_000_000_000, monthlyTokenCap: 1_000_000_000 };
    const last = { requestId: 'last', kinds: [], micros: 1, tokens: 1 };
    const { reservation } = await reserve(context, caps, last);

    const [month] = await scoped(AiMonthModel, stack.demo.id).find({});
    const rows = await scoped(AiSpendingModel, stack.demo.id).find({});
    expect(month?.pending.map(({ id }) => id)).toEqual([reservation.id]);
    expect(month).toMatchObject({
      committedMicros: rows.reduce((sum, { micros }) => sum + micros, last.micros),
      committedTokens: rows.reduce((sum, { tokens }) => sum + tokens, last.tokens),
    });
    const known = new Map(rows.map((row) => [row._id, row]));
    const acknowledged = spenders.flatMap(({ settled }) => settled);
    expect(acknowledged.filter((id) => known.get(id)?.outcome !== 'reported')).toEqual([]);
    expect(rows.every(({ outcome, micros }) => micros === (outcome === 'lost' ? 7 : 3))).toBe(true);
  },
  patienceMs,
);

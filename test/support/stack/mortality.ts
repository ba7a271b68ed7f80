import { AsyncLocalStorage } from 'node:async_hooks';
import { interceptWrites } from './interceptWrites.ts';

/** Where work ends: before its write of this number, counted from 0, or right behind it. */
export interface Death {
  write: number;
  isBehind: boolean;
}

interface Life {
  death: Death;
  written: number;
  isOver: boolean;
  onDeath: () => void;
}

class Died extends Error {}

const lives = new AsyncLocalStorage<Life>();

/**
 * Does work as a process does it that ends somewhere: from that point on none of its writes reaches the database,
 * whatever it catches. Its transactions that are open are never committed.
 *
 * @param onDeath closes what else the work talks to
 * @returns whether it came so far
 */
export async function dieWithin(
  death: Death,
  work: () => Promise<unknown>,
  onDeath: () => void = () => undefined,
): Promise<boolean> {
  interceptWrites(async (_write, run) => {
    const life = lives.getStore();
    if (!life) return run();
    if (life.isOver) throw new Died('This process is dead.');
    const isLast = life.written === life.death.write;
    life.written += 1;
    if (isLast && !life.death.isBehind) throw end(life);
    const result = await run();
    if (isLast) throw end(life);
    return result;
  });
  const life: Life = { death, written: 0, isOver: false, onDeath };
  await lives.run(life, work).catch((error: unknown) => {
    if (!life.isOver) throw error;
  });
  return life.isOver;
}

function end(life: Life): Died {
  life.isOver = true;
  life.onDeath();
  return new Died('This process has died.');
}

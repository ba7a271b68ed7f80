import { AsyncLocalStorage } from 'node:async_hooks';
import { interceptWrites } from './interceptWrites.ts';

/** Point at which work ends: before its write with this number, from 0, or right after it. */
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
 * Runs work as a process that ends at a point. From that point on, none of its writes reaches the database, even if it
 * catches errors. Its open transactions are never committed.
 *
 * @param onDeath closes the other connections of the work
 * @returns whether the work reached the point
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

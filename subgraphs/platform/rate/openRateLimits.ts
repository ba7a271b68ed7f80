import type { Logger } from 'pino';
import { addNote, type RateNote } from '../context/Budget.ts';
import type { RateLimits } from '../context/RateLimits.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { classRules, type DatabaseRule, type MemoryRule } from './classRules.ts';
import { countExactly } from './countExactly.ts';
import { MemoryCounters, windowMs } from './MemoryCounters.ts';
import { shareCounts } from './shareCounts.ts';

const shareEveryMs = 1000;

/**
 * Opens the rate limits of this process. Counters in memory never wait for the database; if it is late, each process
 * uses its own counts.
 */
export function openRateLimits({ log, now }: { log: Logger; now: () => number }): RateLimits {
  const counters = new MemoryCounters();
  let sharing: Promise<void> | undefined;
  let isFailing = false;
  const share = (): Promise<void> => {
    sharing ??= shareCounts(counters)
      .then(
        () => (isFailing = false),
        (error: unknown) => {
          if (!isFailing) log.warn({ err: error }, 'rate counts are not shared between processes');
          isFailing = true;
        },
      )
      .then(() => (sharing = undefined));
    return sharing;
  };
  const timer = setInterval(() => void share(), shareEveryMs).unref();
  return {
    charge(rateClass, context, args) {
      if (context.skipsRateLimits) return undefined;
      const rule = classRules[rateClass];
      return rule.store === 'memory'
        ? chargeMemory(counters, rule, context, now())
        : chargeDatabase(rule, context, args, now());
    },
    share,
    async close() {
      clearInterval(timer);
      await sharing;
    },
  };
}

function chargeMemory(
  counters: MemoryCounters,
  rule: MemoryRule,
  context: RequestContext,
  nowMs: number,
): void {
  const window = rule.windowOf(context);
  const left = counters.count(context.installationId, window, rule.keyOf(context), nowMs);
  const resetSeconds = Math.ceil((windowMs - (nowMs % windowMs)) / 1000);
  const { name, limit, seconds } = window;
  note(context, { name, limit, seconds, remaining: Math.max(0, left), resetSeconds });
  if (left < 0) throw rateLimited(resetSeconds);
}

async function chargeDatabase(
  rule: DatabaseRule,
  context: RequestContext,
  args: object,
  nowMs: number,
): Promise<void> {
  for (const charge of rule.chargesOf(context, args)) {
    const { admitted, notes } = await countExactly(context.installationId, charge, nowMs);
    for (const one of notes) note(context, one);
    if (admitted) continue;
    // Every full window must be reset before there is room.
    throw rateLimited(
      Math.max(...notes.flatMap(({ remaining, resetSeconds }) => (remaining === 0 ? resetSeconds : 1))),
    );
  }
}

function note({ answer }: RequestContext, charged: RateNote): void {
  if (answer.rates) addNote(answer.rates, charged);
  else answer.rates = [charged];
}

function rateLimited(retryAfter: number): AppError {
  return new AppError('rate_limited', `Too many requests. Retry in ${retryAfter} seconds.`, {
    retryAfter,
  });
}

import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { CircuitBreaker } from '../../../platform/concurrency/CircuitBreaker.ts';
import {
  type Billing,
  type Meter,
  type OutputFormat,
  outputFormats,
  ProviderFailure,
  type ProviderTarget,
  type Question,
} from './AiProvider.ts';
import { type Dialect, toChatRequest } from './chatRequest.ts';
import { postJson } from './postJson.ts';
import { type ChatOutcome, readChatReply } from './readChatReply.ts';

const breakerOptions = { failures: 5, windowMs: 60_000, openMs: 30_000 };
/** Maximum `Retry-After` that is respected by waiting, in milliseconds. */
const longestPauseMs = 5000;
const usualPauseMs = 500;
/** Every output format, the other name of the limit, and one retry. */
const mostAttempts = outputFormats.length + 2;

/** Observed capabilities and recent failures of providers, by origin and model, in this process. */
const dialects = new LRUCache<string, Dialect>({ max: 1000 });
const breakers = new LRUCache<string, CircuitBreaker>({ max: 1000 });

/** Returns the current request format of a target. */
export function dialectOf(target: ProviderTarget): Dialect {
  const { structuredOutput } = target;
  const known = dialects.get(keyOf(target)) ?? { format: 'json_schema', limit: 'max_completion_tokens' };
  return structuredOutput === 'auto' ? { ...known } : { ...known, format: structuredOutput };
}

/**
 * Asks a model until it returns an answer of the requested shape. It falls back to the next output format if a provider
 * does not support or respect one, and retries once after a temporary failure. All attempts share the target's timeout,
 * and each one is charged separately.
 *
 * @param signal aborts the request; its reason is thrown
 * @throws ProviderFailure, and errors of the meter
 */
export async function askProvider<T>(
  target: ProviderTarget,
  question: Question<T>,
  { meter, signal }: { meter: Meter; signal: AbortSignal },
): Promise<T> {
  const run = new Run(target, question, meter, signal);
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await run.attempt();
    if ('answer' in outcome) return outcome.answer;
    if (attempt === mostAttempts || !(await run.prepareNext(outcome))) throw outcome.failure;
  }
}

/** An attempt in vain, and how another one should differ. */
interface Miss {
  readonly failure: ProviderFailure;
  readonly next?: Partial<Dialect> | undefined;
}

/** Result of an attempt. */
type Attempt<T> = { readonly answer: T } | Miss;

class Run<T> {
  readonly #target: ProviderTarget;
  readonly #question: Question<T>;
  readonly #meter: Meter;
  readonly #signal: AbortSignal;
  readonly #endsAt: number;
  readonly #breaker: CircuitBreaker;
  readonly #dialect: Dialect;
  #mayRetry = true;
  #maySwitchLimit = true;

  constructor(target: ProviderTarget, question: Question<T>, meter: Meter, signal: AbortSignal) {
    this.#target = target;
    this.#question = question;
    this.#meter = meter;
    this.#signal = signal;
    this.#endsAt = performance.now() + target.timeoutMs;
    this.#breaker = breakerOf(target);
    this.#dialect = dialectOf(target);
  }

  async attempt(): Promise<Attempt<T>> {
    const payment = await this.#meter.begin();
    let billing: Billing = 'none';
    try {
      this.#signal.throwIfAborted();
      const outcome = await this.#send();
      if (outcome.kind === 'text') billing = outcome.billing;
      if (outcome.kind === 'failed') billing = outcome.failure.billing;
      return this.#readOutcome(outcome);
    } catch (error) {
      // Aborted by this process; the provider may still charge for it.
      billing = error instanceof ProviderFailure ? error.billing : 'unknown';
      throw error;
    } finally {
      await payment.settle(billing);
    }
  }

  /** Returns whether another attempt is useful, after waiting as long as the provider requests. */
  async prepareNext({ failure, next }: Miss): Promise<boolean> {
    if (next) {
      Object.assign(this.#dialect, next);
      return this.#remainingMs() > 0;
    }
    const isPassing = failure.kind === 'rate_limited' || failure.kind === 'unavailable';
    const pauseMs = failure.retryAfterMs ?? usualPauseMs;
    if (!this.#mayRetry || !isPassing || pauseMs > longestPauseMs || pauseMs >= this.#remainingMs())
      return false;
    this.#mayRetry = false;
    await pause(pauseMs, undefined, { signal: this.#signal }).catch(() => this.#signal.throwIfAborted());
    return true;
  }

  /** Sends one request, unless the circuit breaker is open. */
  async #send(): Promise<ChatOutcome> {
    const waitMs = this.#breaker.enter();
    if (waitMs > 0) {
      this.#mayRetry = false;
      return failedWith(
        new ProviderFailure('unavailable', 'It failed too often recently.', { retryAfterMs: waitMs }),
      );
    }
    let health: Parameters<CircuitBreaker['leave']>[0] = 'neither';
    try {
      const body = toChatRequest(this.#target, this.#question, this.#dialect);
      const timeoutMs = Math.max(1, Math.ceil(this.#remainingMs()));
      const outcome = readChatReply(await postJson(this.#target, body, { timeoutMs, signal: this.#signal }));
      const isDown = outcome.kind === 'failed' && outcome.failure.kind === 'unavailable';
      health = isDown ? 'failure' : 'success';
      return outcome;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      health = 'failure';
      return failedWith(error);
    } finally {
      this.#breaker.leave(health);
    }
  }

  #readOutcome(outcome: ChatOutcome): Attempt<T> {
    if (outcome.kind === 'failed') return { failure: outcome.failure };
    if (outcome.kind === 'unsupported') return this.#translate(outcome.member);
    const answer = this.#question.read(parseAnswer(outcome.text, this.#dialect.format));
    if (answer === null) {
      return this.#stepDown(
        new ProviderFailure('invalid_output', 'The answer does not have the requested form.'),
      );
    }
    dialects.set(keyOf(this.#target), { ...this.#dialect });
    return { answer };
  }

  #translate(member: 'limit' | 'format'): Attempt<T> {
    const failure = new ProviderFailure('error', `It does not support the ${member} of the request.`);
    if (member === 'format') return this.#stepDown(failure);
    const limit = this.#dialect.limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    if (!this.#maySwitchLimit) return { failure };
    this.#maySwitchLimit = false;
    return { failure, next: { limit } };
  }

  #stepDown(failure: ProviderFailure): Miss {
    const format: OutputFormat | undefined =
      this.#target.structuredOutput === 'auto'
        ? outputFormats[outputFormats.indexOf(this.#dialect.format) + 1]
        : undefined;
    return { failure, next: format && { format } };
  }

  #remainingMs(): number {
    return this.#endsAt - performance.now();
  }
}

function failedWith(failure: ProviderFailure): ChatOutcome {
  return { kind: 'failed', failure };
}

/** Parses the JSON of an answer. Without structured output, models often wrap it in a code fence. */
function parseAnswer(text: string, format: OutputFormat): unknown {
  const bare = format === 'prompt' ? text.trim().replace(/^```(?:json)?\s*|\s*```$/g, '') : text;
  try {
    return JSON.parse(bare) as unknown;
  } catch {
    return undefined;
  }
}

function keyOf({ baseUrl, model }: ProviderTarget): string {
  return `${baseUrl} ${model}`;
}

function breakerOf({ installationId, baseUrl }: ProviderTarget): CircuitBreaker {
  const key = `${installationId} ${new URL(baseUrl).origin}`;
  const breaker = breakers.get(key) ?? new CircuitBreaker(breakerOptions);
  breakers.set(key, breaker);
  return breaker;
}

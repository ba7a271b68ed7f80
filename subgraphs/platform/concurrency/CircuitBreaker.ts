/** Limits of a circuit breaker. */
interface BreakerOptions {
  /** Failures without a success in between that open it. */
  readonly failures: number;
  /** Period in which failures count; unlimited by default. */
  readonly windowMs?: number;
  /** Time for which the circuit breaker stays open before it admits one call. */
  readonly openMs: number;
}

/** Milliseconds since some moment; never runs backwards. */
type Clock = () => number;

/**
 * Circuit breaker: rejects calls to a service that fails too often, so that callers do not wait and the service can
 * recover. After the open period, a single call is tried; its success closes the circuit, and its failure opens it
 * again.
 */
export class CircuitBreaker {
  readonly #options: BreakerOptions;
  readonly #now: Clock;
  #failedAt: number[] = [];
  #openUntil = 0;
  #isTrying = false;

  constructor(options: BreakerOptions, now: Clock = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** Returns the milliseconds until a call may be tried. After 0, the caller must call `leave` once. */
  enter(): number {
    const now = this.#now();
    if (this.#openUntil === 0) return 0;
    if (now < this.#openUntil) return this.#openUntil - now;
    if (this.#isTrying) return this.#options.openMs;
    this.#isTrying = true;
    return 0;
  }

  /** Reports the outcome of an admitted call: `neither` if it does not indicate the health of the service. */
  leave(outcome: 'success' | 'failure' | 'neither'): void {
    const now = this.#now();
    const wasTrying = this.#isTrying;
    this.#isTrying = false;
    if (outcome === 'success') {
      this.#failedAt = [];
      this.#openUntil = 0;
    }
    if (outcome !== 'failure') return;
    const { failures, windowMs = Infinity, openMs } = this.#options;
    this.#failedAt = [...this.#failedAt.filter((at) => now - at < windowMs), now];
    if (wasTrying || this.#failedAt.length >= failures) {
      this.#openUntil = now + openMs;
      this.#failedAt = [];
    }
  }
}

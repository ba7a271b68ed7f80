/** Limits of a circuit breaker. */
interface BreakerOptions {
  /** Failures without a success in between that open it. */
  readonly failures: number;
  /** Time within which they lie; any time unless given. */
  readonly windowMs?: number;
  /** Time for which the circuit breaker stays open before it admits one call. */
  readonly openMs: number;
}

/** Milliseconds since some moment; never runs backwards. */
type Clock = () => number;

/**
 * Keeps calls away from a service that fails too often, so that no caller waits for it and it can recover. When the open
 * time is over a single call tries; its success closes the circuit, its failure opens it again.
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

  /** Milliseconds until a call may be tried. 0 lets this call pass, and `leave` is called once for it. */
  enter(): number {
    const now = this.#now();
    if (this.#openUntil === 0) return 0;
    if (now < this.#openUntil) return this.#openUntil - now;
    if (this.#isTrying) return this.#options.openMs;
    this.#isTrying = true;
    return 0;
  }

  /** Reports how a call that passed has ended: `neither` if that says nothing about the health of the service. */
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

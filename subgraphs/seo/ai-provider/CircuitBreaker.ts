/** Limits of a circuit breaker. */
interface BreakerOptions {
  /** Failures that open it. */
  readonly failures: number;
  /** Within this time. */
  readonly windowMs: number;
  /** How long it stays open before one call may try. */
  readonly openMs: number;
}

/** Milliseconds since some moment; never runs backwards. */
type Clock = () => number;

/**
 * Keeps calls away from what fails too often, so that nobody waits for it and it is left in peace to recover. When its
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

  /** Milliseconds until a call may be tried; 0 lets this one pass. */
  enter(): number {
    const now = this.#now();
    if (this.#openUntil === 0) return 0;
    if (now < this.#openUntil) return this.#openUntil - now;
    if (this.#isTrying) return this.#options.openMs;
    this.#isTrying = true;
    return 0;
  }

  /** How a call that passed has ended; neither for one that says nothing about whether the other side works. */
  leave(outcome: 'success' | 'failure' | 'neither'): void {
    const now = this.#now();
    const wasTrying = this.#isTrying;
    this.#isTrying = false;
    if (outcome === 'success') {
      this.#failedAt = [];
      this.#openUntil = 0;
    }
    if (outcome !== 'failure') return;
    this.#failedAt = [...this.#failedAt.filter((at) => now - at < this.#options.windowMs), now];
    if (wasTrying || this.#failedAt.length >= this.#options.failures) {
      this.#openUntil = now + this.#options.openMs;
      this.#failedAt = [];
    }
  }
}

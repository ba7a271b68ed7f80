export interface CircuitBreakerOptions {
  /** Failures in a row that open the circuit. */
  readonly failures: number;
  /** How long an open circuit refuses before it lets one trial through. */
  readonly pauseMs: number;
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
}

/**
 * Spares a subgraph that keeps failing, and its callers the wait. Closed: all requests pass. Open: none does.
 * Half open, after the pause: one trial passes, and its outcome closes or opens the circuit.
 */
export interface CircuitBreaker {
  /** False when the request must not be sent. After true, exactly one of the other functions is called. */
  tryPass(): boolean;
  succeeded(): void;
  failed(): void;
  /** The request ended for reasons that say nothing about the subgraph (its client left). */
  abandoned(): void;
}

export function createCircuitBreaker({ failures, pauseMs, now }: CircuitBreakerOptions): CircuitBreaker {
  let failuresInRow = 0;
  let openUntil = 0;
  let trialIsRunning = false;

  return {
    tryPass() {
      if (failuresInRow < failures) return true;
      if (trialIsRunning || now() < openUntil) return false;
      trialIsRunning = true;
      return true;
    },
    succeeded() {
      failuresInRow = 0;
      trialIsRunning = false;
    },
    failed() {
      failuresInRow++;
      trialIsRunning = false;
      if (failuresInRow >= failures) openUntil = now() + pauseMs;
    },
    abandoned() {
      trialIsRunning = false;
    },
  };
}

/** Wakes up the waiting reader. A wake-up without a waiting reader is kept for the next one. */
export class Signal {
  #isSet = false;
  #wake: (() => void) | undefined;

  set(): void {
    this.#isSet = true;
    this.#wake?.();
  }

  /** Waits for the next `set`, or until `timeoutMs`; returns whether it was set. Supports one waiter at a time. */
  async wait(timeoutMs: number): Promise<boolean> {
    if (!this.#isSet) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        timer.unref();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const wasSet = this.#isSet;
    this.#wake = undefined;
    this.#isSet = false;
    return wasSet;
  }
}

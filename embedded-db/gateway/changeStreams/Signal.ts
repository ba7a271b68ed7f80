/** Wakes up whoever waits. A wake-up that comes while nobody waits is kept for the next one. */
export class Signal {
  #isSet = false;
  #wake: (() => void) | undefined;

  set(): void {
    this.#isSet = true;
    this.#wake?.();
  }

  /** Resolves at the next `set`, or after `timeoutMs`. One waiter at a time. */
  async wait(timeoutMs: number): Promise<void> {
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
    this.#wake = undefined;
    this.#isSet = false;
  }
}

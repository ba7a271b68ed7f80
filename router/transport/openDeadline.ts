/** The end of an exchange: its deadline, or the disconnect of its client, whichever is first. */
export interface Deadline {
  /** Returns whether the deadline has passed; false if its client disconnected. */
  hasPassed(): boolean;
  hasEnded(): boolean;
  /**
   * Replaces the callback of the end. Returns true if the end was already reached; the callback is then called
   * immediately.
   */
  onEnd(listener: () => void): boolean;
  /** Stops the deadline; the callback is not called afterwards. */
  close(): void;
}

/**
 * Opens a deadline.
 *
 * @param client aborted if the client disconnects
 */
export function openDeadline(timeoutMs: number, client: AbortSignal | undefined): Deadline {
  let passed = false;
  let ended = false;
  let listener: (() => void) | undefined;
  const end = () => {
    ended = true;
    listener?.();
  };
  const timer = setTimeout(() => {
    passed = true;
    end();
  }, timeoutMs);
  if (client?.aborted === true) end();
  else client?.addEventListener('abort', end, { once: true });
  return {
    hasPassed: () => passed,
    hasEnded: () => ended,
    onEnd(callback) {
      listener = callback;
      if (ended) callback();
      return ended;
    },
    close() {
      listener = undefined;
      clearTimeout(timer);
      client?.removeEventListener('abort', end);
    },
  };
}

/** When an exchange ends: its time is over or its client left, whichever is first. */
export interface Deadline {
  /** Whether its time is over; false when its client left. */
  hasPassed(): boolean;
  hasEnded(): boolean;
  /** Replaces the callback of the end. Returns true if the end was reached, in which case it was called now. */
  onEnd(listener: () => void): boolean;
  /** No further call begins. */
  close(): void;
}

/** @param client aborted when the client left */
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

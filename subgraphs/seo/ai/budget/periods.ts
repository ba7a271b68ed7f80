/** A month or a day of UTC that a budget is for. */
interface Period {
  /** As in `2026-11` or `2026-11-22`. */
  readonly name: string;
  /** Start of the next period. */
  readonly resetsAt: Date;
}

/** Returns the month of a time, in UTC. */
export function monthOf(now: number): Period {
  const date = new Date(now);
  return {
    name: date.toISOString().slice(0, 7),
    resetsAt: new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)),
  };
}

/** Returns the day of a time, in UTC. */
export function dayOf(now: number): Period {
  const date = new Date(now);
  return {
    name: date.toISOString().slice(0, 10),
    resetsAt: new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)),
  };
}

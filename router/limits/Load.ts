/** When a process takes no more. */
export interface LoadOptions {
  /** Executions under way at a time, whatever they wait for. */
  readonly maxRequests: number;
  /** Wait in line, in milliseconds, from which on newcomers are refused. Default 50. */
  readonly maxWaitMs?: number | undefined;
  /** Executions under way that always have room: so few wait for something else than each other. Default 64. */
  readonly few?: number | undefined;
  /** Executions under way from which on one late step of the event loop is enough; below, it takes two. Default 128. */
  readonly many?: number | undefined;
  /** Shortest wait of the last moment for what executions share, as connections to the database. Default: none. */
  readonly takeWaitMs?: (() => number) | undefined;
  /** For how long connections have waited to be taken; asked on every request. Default: none waits. */
  readonly lineMs?: (() => number) | undefined;
  /** Clock of milliseconds that never jumps, for tests. */
  readonly now?: (() => number) | undefined;
}

const beatMs = 25;
/** What a line at the door may last, as a multiple of what the others may: a crowd that comes at once has to be taken. */
const doorPatience = 3;

/**
 * How much a process has to do. Who comes when it is full is refused at once, which costs little, and can go elsewhere
 * or come back: taken in, he would wait, and make everybody wait longer.
 *
 * Full is judged by the wait in line, as in CoDel (Nichols and Jacobson, 2012), not by a count: how late the event loop
 * is, how long whoever waited least for a connection to the database has waited, and for how long there were connections
 * of clients that were not taken. How long single executions take says nothing: some
 * hundreds that wait for a slow partner harm nobody, and hundreds of quick ones at once do. So newcomers are refused
 * while there is a line, and let in again as soon as it is gone; nothing has to be tuned to the machine.
 *
 * One long step, as when a supergraph is replaced, is over when it is seen, and no reason to refuse anybody: the line has
 * to stand for two beats. Only with very many under way one is enough, and the step that is being done counts as well: it
 * is they who make it long.
 */
export class Load {
  readonly #maxRequests: number;
  readonly #maxWaitMs: number;
  readonly #few: number;
  readonly #many: number;
  readonly #takeWaitMs: () => number;
  readonly #lineMs: () => number;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #running = 0;
  #beatAt = 0;
  #waitMs = 0;
  #waitBeforeMs = 0;

  constructor({
    maxRequests,
    maxWaitMs = 50,
    few = 64,
    many = 128,
    takeWaitMs = () => 0,
    lineMs = () => 0,
    now = () => performance.now(),
  }: LoadOptions) {
    this.#maxRequests = maxRequests;
    this.#maxWaitMs = maxWaitMs;
    this.#few = few;
    this.#many = many;
    this.#takeWaitMs = takeWaitMs;
    this.#lineMs = lineMs;
    this.#now = now;
  }

  /** Whether the next one is to be refused. */
  isFull(): boolean {
    if (this.#running >= this.#maxRequests || this.#lineMs() > doorPatience * this.#maxWaitMs) return true;
    if (this.#running < this.#few) return false;
    if (this.#running < this.#many) return this.#isLong(Math.min(this.#waitMs, this.#waitBeforeMs));
    return this.#isLong(this.#waitMs) || this.#isLong(this.#latenessMs());
  }

  enter(): void {
    this.#running++;
    // Where few are under way nobody is refused, and nothing has to be measured.
    if (this.#timer === undefined && this.#running >= this.#few) this.#watch();
  }

  leave(): void {
    this.#running--;
  }

  /** Notes how long the line is; called by a timer. */
  beat(): void {
    this.#waitBeforeMs = this.#waitMs;
    this.#waitMs = Math.max(this.#latenessMs(), this.#takeWaitMs());
    this.#beatAt = this.#now();
    if (this.#running < this.#few) this.close();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #watch(): void {
    this.#takeWaitMs();
    this.#beatAt = this.#now();
    this.#waitMs = 0;
    this.#waitBeforeMs = 0;
    this.#timer = setInterval(() => this.beat(), beatMs).unref();
  }

  #latenessMs(): number {
    return this.#now() - this.#beatAt - beatMs;
  }

  #isLong(waitMs: number): boolean {
    return waitMs > this.#maxWaitMs;
  }
}

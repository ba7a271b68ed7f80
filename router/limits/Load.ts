/** When a process takes no more. */
export interface LoadOptions {
  /** Executions under way at a time, whatever they wait for. */
  readonly maxRequests: number;
  /** Wait in line, in milliseconds, from which on newcomers may be refused. Default 50. */
  readonly maxWaitMs?: number | undefined;
  /** Executions under way that always have room: so few wait for something else than each other. Default 16. */
  readonly few?: number | undefined;
  /** Executions under way from which on one late step of the event loop is enough; below, it takes two. Default 128. */
  readonly many?: number | undefined;
  /** How long those under way may take altogether, at the pace at which others end, in milliseconds. Default 250. */
  readonly patienceMs?: number | undefined;
  /** For so many there is room until the pace is known: who has just started is slow, and not for long. Default 64. */
  readonly roomAtFirst?: number | undefined;
  /**
   * Executions of a process that has just started, which are all taken in: it gets fast by being used, and those who have
   * waited for it would come back to one that is as slow. Default: none.
   */
  readonly coldRequests?: number | undefined;
  /** Shortest wait of the last moment for what executions share, as connections to the database. Default: none. */
  readonly takeWaitMs?: (() => number) | undefined;
  /** Clock of milliseconds that never jumps, for tests. */
  readonly now?: (() => number) | undefined;
}

const beatMs = 25;
/** Where so many beats have seen few, nothing is measured until there are more. */
const calmBeats = 20;
/** The pace is an average in which what happened so long ago counts for a third. */
const memoryMs = 500;
/** After so long with work a process is cold no more, however few have ended. */
const coldMs = 5000;
/** The part of the patience that is left while more are refused than are done. */
const hardPart = 0.5;

/**
 * How much a process has to do. Who comes when it is full is refused at once, which costs little, and can go elsewhere
 * or come back: taken in, he would wait, and make everybody wait longer.
 *
 * There are two conditions. Somebody has to stand in line, as in CoDel (Nichols and Jacobson, 2012): the event loop is
 * late, or whoever waited least for a connection to the database has waited long. How long single executions take says
 * nothing: some hundreds that wait for a slow partner harm nobody, and hundreds of quick ones at once do. And there have
 * to be more under way than end within the time that somebody may be expected to wait (Little, 1961): a crowd that is
 * done in a moment is taken in whole, and of what costs much only as many as can be done. Where more are refused than are
 * done this is no crowd that passes, and those who are taken in are not to wait as long. Nothing has to be tuned to the
 * machine.
 *
 * One long step, as when a supergraph is replaced, is over when it is seen, and no reason to refuse anybody: the line has
 * to stand for two beats. Only with very many under way, and twice as many as there is room for, one is enough, and the
 * step that is being done counts as well: it is they who make it long.
 */
export class Load {
  readonly #maxRequests: number;
  readonly #maxWaitMs: number;
  readonly #few: number;
  readonly #many: number;
  readonly #patienceMs: number;
  readonly #takeWaitMs: () => number;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  /** Executions that have to end before the process is warm. */
  #cold: number;
  #coldUntil: number | undefined;
  #running = 0;
  #ended = 0;
  #refused = 0;
  /** Beats in a row that have seen few. */
  #calm = 0;
  #beatAt = 0;
  #waitMs = 0;
  #waitBeforeMs = 0;
  /** Executions that end in a millisecond. */
  #pace: number;
  /** Those who are refused in a millisecond. */
  #refusals = 0;

  constructor({
    maxRequests,
    maxWaitMs = 50,
    few = 16,
    many = 128,
    patienceMs = 250,
    roomAtFirst = 64,
    coldRequests = 0,
    takeWaitMs = () => 0,
    now = () => performance.now(),
  }: LoadOptions) {
    this.#maxRequests = maxRequests;
    this.#maxWaitMs = maxWaitMs;
    this.#few = few;
    this.#many = many;
    this.#patienceMs = patienceMs;
    this.#pace = roomAtFirst / patienceMs;
    this.#cold = coldRequests;
    this.#takeWaitMs = takeWaitMs;
    this.#now = now;
  }

  /** Whether the next one is to be refused; asked once for each, because who is refused counts. */
  isFull(): boolean {
    const isFull = this.#hasNoRoom();
    if (isFull) this.#refused++;
    return isFull;
  }

  #hasNoRoom(): boolean {
    if (this.#running >= this.#maxRequests) return true;
    if (this.#running < this.#few || this.#cold > 0) return false;
    const patienceMs = this.#patienceMs * (this.#refusals > this.#pace ? hardPart : 1);
    const room = Math.max(this.#few, this.#pace * patienceMs);
    if (this.#running < room) return false;
    if (this.#running < Math.max(this.#many, 2 * room))
      return this.#isLong(Math.min(this.#waitMs, this.#waitBeforeMs));
    return this.#isLong(this.#waitMs) || this.#isLong(this.#latenessMs());
  }

  /** Executions under way. */
  get running(): number {
    return this.#running;
  }

  /** For how long whoever comes now has to stand in line, in whole milliseconds; 0 without a line, or a short one. */
  get waitMs(): number {
    const waitMs = Math.min(this.#waitMs, this.#waitBeforeMs);
    return waitMs > 1 ? Math.round(waitMs) : 0;
  }

  enter(): void {
    this.#running++;
    // Where few are under way nobody is refused, and nothing has to be measured.
    if (this.#timer === undefined && this.#running >= this.#few) this.#watch();
  }

  leave(): void {
    this.#running--;
    this.#ended++;
    if (this.#cold > 0) this.#cold--;
  }

  /** Counts what is under way until it is settled. */
  during<T>(work: Promise<T>): Promise<T> {
    this.enter();
    return work.then(
      (done) => {
        this.leave();
        return done;
      },
      (error: unknown) => {
        this.leave();
        throw error;
      },
    );
  }

  /** Notes how long the line is, and how fast it moves; called by a timer. */
  beat(): void {
    const now = this.#now();
    this.#waitBeforeMs = this.#waitMs;
    this.#waitMs = Math.max(this.#latenessMs(), this.#takeWaitMs());
    const lastedMs = now - this.#beatAt;
    if (lastedMs > 0) {
      const weight = 1 - Math.exp(-lastedMs / memoryMs);
      this.#pace += (this.#ended / lastedMs - this.#pace) * weight;
      this.#refusals += (this.#refused / lastedMs - this.#refusals) * weight;
    }
    this.#ended = 0;
    this.#refused = 0;
    this.#beatAt = now;
    if (this.#cold > 0 && now > (this.#coldUntil ?? now)) this.#cold = 0;
    this.#calm = this.#running < this.#few ? this.#calm + 1 : 0;
    if (this.#calm >= calmBeats) this.close();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#waitMs = 0;
    this.#waitBeforeMs = 0;
  }

  #watch(): void {
    this.#takeWaitMs();
    this.#beatAt = this.#now();
    this.#coldUntil ??= this.#beatAt + coldMs;
    this.#ended = 0;
    this.#refused = 0;
    this.#refusals = 0;
    this.#calm = 0;
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

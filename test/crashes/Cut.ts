import { AsyncLocalStorage } from 'node:async_hooks';
import { interceptWrites } from '../support/stack/interceptWrites.ts';

/** The write before which a process ends: the `nth` write of its kind since the previous cut. */
export interface Cut {
  /** As in `refunds.findOneAndUpdate`. */
  readonly write: string;
  /** 1 unless stated. */
  readonly nth?: number;
  /** Id that the write contains. Without it, any write matches. */
  readonly about?: string;
  /** The process ends right after the write instead. */
  readonly isBehind?: boolean;
}

/**
 * A process of the product, or work in this process that ends like one. It blocks at each cut in turn. After its end, none
 * of its writes reaches the database.
 */
export class Life {
  readonly #left: Cut[];
  readonly #onCut: () => void;
  readonly #over = Promise.withResolvers<never>();
  #seen = 0;
  #isOver = false;

  /** @param onCut called when a cut is reached */
  constructor(cuts: readonly Cut[], onCut: () => void) {
    this.#left = [...cuts];
    this.#onCut = onCut;
    this.#over.promise.catch(() => undefined);
  }

  /** Rejects the blocked write and all later writes. */
  end(): void {
    this.#isOver = true;
    this.#over.reject(new Error('This process was killed.'));
  }

  async pass(write: string, run: () => Promise<unknown>, args: readonly unknown[]): Promise<unknown> {
    if (this.#isOver) return this.#over.promise;
    const cut = this.#left[0];
    if (cut?.write !== write) return run();
    if (cut.about && !JSON.stringify(args.slice(0, 2), withoutSession).includes(cut.about)) return run();
    this.#seen += 1;
    if (this.#seen < (cut.nth ?? 1)) return run();
    this.#left.shift();
    this.#seen = 0;
    if (cut.isBehind) await run();
    this.#onCut();
    return this.#over.promise;
  }
}

/** Omits sessions, which cannot be serialized as JSON. */
const withoutSession = (key: string, value: unknown) => (key === 'session' ? undefined : value);

const lives = new AsyncLocalStorage<Life>();

/** Runs work as a separate life, including all work that it starts. */
export function live<Result>(life: Life, work: () => Result): Result {
  interceptWrites((write, run, args) => lives.getStore()?.pass(write, run, args) ?? run());
  return lives.run(life, work);
}

/** Makes this whole process one life. */
export function liveAlone(life: Life): void {
  interceptWrites((write, run, args) => life.pass(write, run, args));
}

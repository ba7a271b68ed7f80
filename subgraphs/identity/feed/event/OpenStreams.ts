import { createHash, randomUUID } from 'node:crypto';
import type { Platform } from '../../../platform/context/Platform.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { OpenStreamModel } from './model.ts';

/** Maximum number of streams that a user may have open concurrently, in all processes together. */
const maxStreams = 5;
const retryAfterSeconds = 15;
const bufferName = 'open-streams';

/** User of the stream, and its maximum duration. */
interface StreamOwner {
  installationId: string;
  viewerId: string;
  /** Time until the token of the stream expires, in milliseconds. */
  leftMs: number;
}

/**
 * Streams of this process, counted together with those of all other processes. Each stream is a record until it ends.
 */
export class OpenStreams {
  readonly #platform: Pick<Platform, 'now' | 'log'>;
  readonly #removals = new Set<Promise<unknown>>();

  constructor(platform: Pick<Platform, 'now' | 'log'>) {
    this.#platform = platform;
  }

  /**
   * Counts a stream until the returned function is called. The streams of a killed process count until their tokens
   * expire.
   *
   * @throws AppError `rate_limited` if the user has too many streams; of two streams that open concurrently for the
   *   last place, both may be refused
   */
  async add({ installationId, viewerId, leftMs }: StreamOwner): Promise<() => void> {
    const streams = scoped(OpenStreamModel, installationId);
    const owner = createHash('sha256').update(`${installationId} ${viewerId}`).digest('base64url');
    const now = this.#platform.now();
    const { _id } = await streams.insert({ _id: randomUUID(), owner, expiresAt: new Date(now + leftMs) });
    try {
      if ((await streams.count({ owner, expiresAt: { $gt: new Date(now) } })) > maxStreams) throw tooMany();
    } catch (error) {
      this.#remove(installationId, _id);
      throw error;
    }
    let isOpen = true;
    return () => {
      if (isOpen) this.#remove(installationId, _id);
      isOpen = false;
    };
  }

  /** Waits until the records of ended streams are removed. */
  async close(): Promise<void> {
    await Promise.all(this.#removals);
  }

  #remove(installationId: string, _id: string): void {
    const removal = scoped(OpenStreamModel, installationId)
      .deleteMany({ _id })
      .catch((error: unknown) =>
        this.#platform.log.info({ err: error }, 'a stream counts until its token expires'),
      )
      .finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }
}

function tooMany(): AppError {
  return new AppError(
    'rate_limited',
    `At most ${maxStreams} event streams can be open concurrently. Close one first.`,
    {
      retryAfter: retryAfterSeconds,
    },
  );
}

/** Returns the streams of this process. */
export function openStreamsOf(platform: Platform): OpenStreams {
  const known = platform.buffers.get(bufferName);
  if (known instanceof OpenStreams) return known;
  const streams = new OpenStreams(platform);
  platform.buffers.set(bufferName, streams);
  return streams;
}

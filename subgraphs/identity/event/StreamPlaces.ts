import { createHash, randomUUID } from 'node:crypto';
import type { PipelineStage } from 'mongoose';
import type { Platform } from '../../platform/context/Platform.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { repeatUpsert } from '../../platform/mongo/repeatUpsert.ts';
import { OpenStreamsModel, type OpenStreamsRecord } from './model.ts';
import { ProcessMark } from './ProcessMark.ts';

/** Streams that somebody may have open at a time, at all processes together. */
const mostStreams = 5;
/** Those who leave together give their places back together. */
const collectMs = 50;
/** When nothing was opened for so long, whatever is noted has ended with its tokens. */
const lifeMs = 3_600_000;

/** Whose stream it is, and for how long it may last. */
export interface StreamOwner {
  installationId: string;
  viewerId: string;
  leftMs: number;
}

interface Place {
  installationId: string;
  recordId: string;
  streamId: string;
}

const placesOfProcess = new WeakMap<Platform, StreamPlaces>();

/** The places of the streams of this process. */
export function streamPlacesOf(platform: Platform): StreamPlaces {
  const known = placesOfProcess.get(platform);
  if (known) return known;
  const places = new StreamPlaces((error) =>
    platform.log.info({ err: error }, 'places of streams are noted later'),
  );
  placesOfProcess.set(platform, places);
  platform.buffers.set('stream-places', places);
  return places;
}

/**
 * The places of open streams, of this process among all others. One command takes a place, and those that are given back
 * at about the same time are one command; that they are still held, a process says for all of its streams together. What
 * a killed process held is free when it has said nothing for a while.
 */
export class StreamPlaces {
  readonly #mark: ProcessMark;
  readonly #onError: (error: unknown) => void;
  #left: Place[] = [];
  #timer: NodeJS.Timeout | undefined;
  #givingBack: Promise<void> = Promise.resolve();

  constructor(onError: (error: unknown) => void, { markMs }: { markMs?: number } = {}) {
    this.#mark = new ProcessMark(`streams:${randomUUID()}`, { onError, ...(markMs && { lengthMs: markMs }) });
    this.#onError = onError;
  }

  /**
   * Takes a place until the function that it answers is called.
   *
   * @throws AppError `rate_limited` for one stream too many
   */
  async take({ installationId, viewerId, leftMs }: StreamOwner): Promise<() => void> {
    const recordId = createHash('sha256').update(`${installationId} ${viewerId}`).digest('base64url');
    const place: Place = { installationId, recordId, streamId: randomUUID() };
    const leave = await this.#mark.enter();
    try {
      const first = await this.#ask(place, leftMs);
      const isAdmitted = first.admitted || (await this.#askAgain(place, leftMs, first)).admitted;
      if (!isAdmitted) throw this.#refusal();
    } catch (error) {
      leave();
      throw error;
    }
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      leave();
      this.#left.push(place);
      this.#timer ??= setTimeout(() => void this.#giveBack(), collectMs).unref();
    };
  }

  async close(): Promise<void> {
    await this.#giveBack();
    await this.#mark.close();
  }

  #ask({ installationId, recordId: _id, streamId }: Place, leftMs: number): Promise<OpenStreamsRecord> {
    const own = { id: streamId, holder: this.#mark.name, until: { $add: ['$$NOW', Math.max(leftMs, 0)] } };
    const stages: PipelineStage.Set[] = [
      {
        $set: {
          streams: {
            $filter: {
              input: { $ifNull: ['$streams', []] },
              as: 'stream',
              cond: { $gt: ['$$stream.until', '$$NOW'] },
            },
          },
          expiresAt: { $add: ['$$NOW', lifeMs] },
        },
      },
      { $set: { admitted: { $lt: [{ $size: '$streams' }, mostStreams] } } },
      { $set: { streams: { $cond: ['$admitted', { $concatArrays: ['$streams', [own]] }, '$streams'] } } },
    ];
    const records = scoped(OpenStreamsModel, installationId);
    return repeatUpsert(() => records.findOneAndUpdate({ _id }, stages, { upsert: true }));
  }

  /** When those are off whose places were left a moment ago, or were held by processes that are gone. */
  async #askAgain(place: Place, leftMs: number, { streams }: OpenStreamsRecord): Promise<OpenStreamsRecord> {
    await this.#giveBack();
    const lapsed = await this.#mark.lapsedAmong([...new Set(streams.map(({ holder }) => holder))]);
    if (lapsed.length > 0)
      await scoped(OpenStreamsModel, place.installationId).updateMany(
        { _id: place.recordId },
        { $pull: { streams: { holder: { $in: lapsed } } } },
      );
    return this.#ask(place, leftMs);
  }

  #refusal(): AppError {
    return new AppError('rate_limited', `At most ${mostStreams} streams of events are open at a time.`, {
      retryAfter: Math.ceil(this.#mark.lengthMs / 1000),
    });
  }

  /** One after the other, so that whoever waits for it knows that everything is given back. */
  #giveBack(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const places = this.#left;
    this.#left = [];
    this.#givingBack = this.#givingBack.then(() => this.#remove(places)).catch(this.#onError);
    return this.#givingBack;
  }

  /** What cannot be given back is over with its token. */
  async #remove(places: readonly Place[]): Promise<void> {
    for (const [installationId, own] of Map.groupBy(places, (place) => place.installationId)) {
      const ids = [...new Set(own.map(({ recordId }) => recordId))];
      const streamIds = own.map(({ streamId }) => streamId);
      await scoped(OpenStreamsModel, installationId).updateMany(
        { _id: { $in: ids } },
        { $pull: { streams: { id: { $in: streamIds } } } },
      );
    }
  }
}

/** Framing of a protocol: a fixed header that states the length of the whole frame, including the header. */
export interface Framing {
  headerBytes: number;
  maxFrameBytes: number;
  frameLength(bytes: Buffer, offset: number): number;
}

/** A peer sent an invalid frame; the connection is out of sync and must be closed. */
export class FramingError extends Error {}

/**
 * Splits a byte stream into frames. Chunks of an unfinished frame are kept separately until the frame is complete and
 * joined once, because joining at every chunk would be quadratic in the size of a large reply.
 */
export class FrameReader {
  readonly #framing: Framing;
  readonly #onFrame: (frame: Buffer) => void;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #neededBytes: number;

  constructor(framing: Framing, onFrame: (frame: Buffer) => void) {
    this.#framing = framing;
    this.#onFrame = onFrame;
    this.#neededBytes = framing.headerBytes;
  }

  /** Throws a FramingError when the stream is not in this framing. */
  push(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#pendingBytes > 0) {
      this.#pending.push(chunk);
      this.#pendingBytes += chunk.length;
      if (this.#pendingBytes < this.#neededBytes) return;
      bytes = Buffer.concat(this.#pending);
      this.#pending = [];
      this.#pendingBytes = 0;
    }
    this.#cut(bytes);
  }

  #cut(bytes: Buffer): void {
    const { headerBytes, maxFrameBytes } = this.#framing;
    let offset = 0;
    while (bytes.length - offset >= headerBytes) {
      const length = this.#framing.frameLength(bytes, offset);
      if (length < headerBytes || length > maxFrameBytes) throw new FramingError(`frame of ${length} bytes`);
      if (bytes.length - offset < length) return this.#keep(bytes.subarray(offset), length);
      const frame = bytes.subarray(offset, offset + length);
      offset += length;
      this.#onFrame(frame);
    }
    this.#keep(bytes.subarray(offset), headerBytes);
  }

  #keep(rest: Buffer, neededBytes: number): void {
    this.#neededBytes = neededBytes;
    if (rest.length === 0) return;
    this.#pending = [rest];
    this.#pendingBytes = rest.length;
  }
}

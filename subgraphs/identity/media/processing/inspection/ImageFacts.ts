/** Metadata of an image, read without decoding it. */
export interface ImageFacts {
  width: number;
  height: number;
  /** 1 for a still image. */
  frames: number;
  /** Parts that decoders ignore: metadata and unknown chunks. */
  asides: readonly Buffer[];
  /** Bytes after the end of the image. */
  tail: Buffer;
}

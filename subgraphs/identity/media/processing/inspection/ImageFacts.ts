/** Metadata of an image, read without decoding it. */
export interface ImageFacts {
  width: number;
  height: number;
  /** 1 for a still one. */
  frames: number;
  /** Parts that no decoder draws: metadata, unknown chunks. */
  asides: readonly Buffer[];
  /** Bytes after the end of the image. */
  tail: Buffer;
}

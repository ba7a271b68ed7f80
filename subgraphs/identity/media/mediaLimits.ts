const mebibyte = 1024 * 1024;

/** Limits of one file, for any owner. */
export const mediaLimits = {
  /** Bytes by kind. */
  byteSize: { image: 15 * mebibyte, document: 20 * mebibyte, video: 200 * mebibyte },
  /** Pixels of an image; of an animation, of all its frames. */
  pixels: 50_000_000,
  /** Longest side in pixels that JPEG supports. */
  side: 65_535,
  videoDurationMs: 10 * 60_000,
} as const;

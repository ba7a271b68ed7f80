const mebibyte = 1024 * 1024;

/** Limits of one file, for any owner. */
export const mediaLimits = {
  /** Maximum size in bytes, by kind. */
  byteSize: { image: 15 * mebibyte, document: 20 * mebibyte, video: 200 * mebibyte },
  /** Maximum number of pixels of an image; for an animation, of all frames together. */
  pixels: 50_000_000,
  /** Longest side in pixels that JPEG supports. */
  side: 65_535,
  videoDurationMs: 10 * 60_000,
} as const;

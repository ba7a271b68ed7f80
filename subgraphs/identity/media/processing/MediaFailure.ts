/** Reasons why a file cannot be used, as in `failure.code` of its record. */
export const mediaFailureCodes = [
  /** Unsupported type; `detail` lists the supported ones. */
  'unsupported_type',
  /** Drawings in SVG are programs. */
  'svg_not_allowed',
  /** HEVC, which HEIC photos are compressed with, has no decoder here. */
  'heic_not_supported',
  'file_too_large',
  /** The end is missing. */
  'file_truncated',
  /** It breaks the rules of its own format, or cannot be decoded. */
  'file_damaged',
  /** An archive, a page or a program lies in or behind the file. */
  'foreign_content',
  /** A document that does something when it is opened. */
  'active_content',
  /** More than 50 megapixels, or a side that no format can hold. */
  'image_too_large',
  /** All frames together are more than 50 megapixels. */
  'animation_too_large',
  'video_too_long',
  /** It was right and could not be worked on all the same, several times. */
  'processing_failed',
] as const;

export type MediaFailureCode = (typeof mediaFailureCodes)[number];

/** Error in a file, for its uploader. */
export interface MediaFailure {
  code: MediaFailureCode;
  /** Public message with the error and its remedy. */
  detail: string;
}

/** Thrown while bytes are looked at; `inspectBytes` and the worker turn it into an answer. */
export class UnfitBytes extends Error {
  readonly failure: MediaFailure;

  constructor(code: MediaFailureCode, detail: string) {
    super(detail);
    this.name = 'UnfitBytes';
    this.failure = { code, detail };
  }
}

export function truncated(what: string): UnfitBytes {
  return new UnfitBytes('file_truncated', `The ${what} is truncated. Upload the complete file again.`);
}

export function damaged(what: string): UnfitBytes {
  return new UnfitBytes('file_damaged', `The ${what} is damaged. Save it again and upload the new file.`);
}

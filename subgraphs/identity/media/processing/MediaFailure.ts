/** Reasons why a file cannot be used, as in `failure.code` of its record. */
export const mediaFailureCodes = [
  /** Unsupported type; `detail` lists the supported ones. */
  'unsupported_type',
  /** SVG images can contain scripts. */
  'svg_not_allowed',
  /** No HEVC decoder is available, which HEIC photos need. */
  'heic_not_supported',
  'file_too_large',
  /** The end of the file is missing. */
  'file_truncated',
  /** The file violates its own format, or cannot be decoded. */
  'file_damaged',
  /** The file contains or is followed by an archive, a page or a program. */
  'foreign_content',
  /** The document runs an action when it is opened. */
  'active_content',
  /** More than 50 megapixels, or a side that no format can hold. */
  'image_too_large',
  /** All frames together exceed 50 megapixels. */
  'animation_too_large',
  'video_too_long',
  /** Processing a valid file failed several times. */
  'processing_failed',
] as const;

export type MediaFailureCode = (typeof mediaFailureCodes)[number];

/** Error in a file, for its uploader. */
export interface MediaFailure {
  code: MediaFailureCode;
  /** Public message that states the error and its remedy. */
  detail: string;
}

/** Thrown while bytes are inspected. `inspectBytes` and the worker turn it into a response. */
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

import type { UserRecord } from '../user/model.ts';

/** Whose data, and where. */
export interface ExportSubject {
  readonly installationId: string;
  /** As it was when the archive was begun. */
  readonly user: UserRecord;
}

/** A text file for people, beside the data. */
export interface ExportText {
  /** Path in the archive. */
  path: string;
  text: string;
}

/** One file of the archive: what one resource stores about a person. */
export interface ExportPart {
  /** Path in the archive, as in `listings.json`. */
  readonly file: string;
  /** For the page that introduces the archive. */
  readonly title: string;
  readonly description: string;
  /** Collections it reads; see `notExported` for the others. */
  readonly collections: readonly string[];
  /** Everything there is, a page at a time: an archive is as large as somebody's data, memory is not. */
  records(subject: ExportSubject): AsyncIterable<object>;
  /** The same for reading, where the data holds longer texts. */
  texts?(subject: ExportSubject): AsyncIterable<ExportText>;
}

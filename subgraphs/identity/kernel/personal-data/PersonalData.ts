import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';

/** User whose data it is, as resources outside of the account identify it. */
export interface Person {
  _id: string;
  email: string;
  emailNormalized: string;
}

/** Resource of the identity subgraph, with the personal data that it stores. */
export interface IdentityResource extends Resource {
  readonly person?: PersonalData;
}

/** Personal data of a resource. The server collects these declarations of all resources. */
export interface PersonalData<User extends Person = Person> {
  /** Files of an archive of personal data. */
  readonly exports?: readonly ExportPart<User>[];
  /** Deletes the remaining data after the account is erased. It can be interrupted and repeated. */
  erase?(user: ErasedUser): Promise<void>;
  /** Deletes data that is found by the e-mail address, in the transaction that erases the account. */
  eraseByAddress?(user: ErasingUser<User>): Promise<void>;
  /** Reason why exported records are kept after an erasure, if the resource deletes none of them. */
  readonly kept?: string;
  /** Returns the obligations that prevent the deletion of the account. */
  owes?(user: LeavingUser): Promise<Obligation[]>;
}

/** File of the archive with the data of one resource. */
export interface ExportPart<User extends Person = Person> {
  /** Path in the archive, as in `listings.json`. */
  readonly file: string;
  /** Title on the page that introduces the archive. */
  readonly title: string;
  readonly description: string;
  /** Collections that the part reads; see `notExported` for the others. */
  readonly collections: readonly string[];
  /** Yields all records, read page by page, because an archive may be larger than memory. */
  records(subject: ExportSubject<User>): AsyncIterable<object>;
  /** Yields the longer texts of these records as separate files. */
  texts?(subject: ExportSubject<User>): AsyncIterable<ExportText>;
}

/** User whose data is exported. */
export interface ExportSubject<User extends Person = Person> {
  readonly installationId: string;
  /** The user's record when the archive was started. */
  readonly user: User;
}

/** A readable text file next to the data. */
export interface ExportText {
  /** Path in the archive. */
  path: string;
  text: string;
}

/** An account that has been erased. */
export interface ErasedUser {
  platform: Platform;
  installationId: string;
  userId: string;
}

/** An account that is being erased, as it was before the erasure, with the transaction. */
export interface ErasingUser<User extends Person = Person> {
  installationId: string;
  user: User;
  session: ClientSession;
}

/** An account to delete, with the transaction that schedules the deletion. */
export interface LeavingUser {
  installationId: string;
  userId: string;
  at: Date;
  session: ClientSession;
}

/** Open obligation, as the user sees it. */
export interface Obligation {
  /** Name of the check. */
  kind: string;
  /** Id of the record that the obligation is about. */
  id: string;
  detail: string;
}

import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';

/** The person whose data it is: what the resources that are no part of the account know of the account. */
export interface Person {
  _id: string;
  email: string;
  emailNormalized: string;
}

/** A resource of the identity subgraph, with what it stores about people. */
export interface IdentityResource extends Resource {
  readonly person?: PersonalData;
}

/** What a resource stores about a person. The server collects these of all resources. */
export interface PersonalData<User extends Person = Person> {
  /** Files of an archive of personal data. */
  readonly exports?: readonly ExportPart<User>[];
  /** Clears what is left once the account is erased. It may be cut short and repeated. */
  erase?(user: ErasedUser): Promise<void>;
  /** Clears what only the address leads to, in the transaction that erases the account. */
  eraseByAddress?(user: ErasingUser<User>): Promise<void>;
  /** What is left of exported records after an erasure, and why, where none of them is cleared here. */
  readonly kept?: string;
  /** What keeps the account from being deleted. */
  owes?(user: LeavingUser): Promise<Obligation[]>;
}

/** One file of the archive: what one resource stores about a person. */
export interface ExportPart<User extends Person = Person> {
  /** Path in the archive, as in `listings.json`. */
  readonly file: string;
  /** For the page that introduces the archive. */
  readonly title: string;
  readonly description: string;
  /** Collections it reads; see `notExported` for the others. */
  readonly collections: readonly string[];
  /** All records, read a page at a time, because an archive may be larger than memory. */
  records(subject: ExportSubject<User>): AsyncIterable<object>;
  /** The longer texts of these records as files of their own. */
  texts?(subject: ExportSubject<User>): AsyncIterable<ExportText>;
}

/** The person whose data is exported. */
export interface ExportSubject<User extends Person = Person> {
  readonly installationId: string;
  /** As it was when the archive was begun. */
  readonly user: User;
}

/** A text file for people, beside the data. */
export interface ExportText {
  /** Path in the archive. */
  path: string;
  text: string;
}

/** An account that is erased. */
export interface ErasedUser {
  platform: Platform;
  installationId: string;
  userId: string;
}

/** An account that is being erased, as it was before, and the transaction. */
export interface ErasingUser<User extends Person = Person> {
  installationId: string;
  user: User;
  session: ClientSession;
}

/** An account whose deletion is requested, and the transaction that schedules it. */
export interface LeavingUser {
  installationId: string;
  userId: string;
  at: Date;
  session: ClientSession;
}

/** What a person still owes or holds, as reported to that person. */
export interface Obligation {
  /** Name of the check. */
  kind: string;
  /** Id of what it is about. */
  id: string;
  detail: string;
}

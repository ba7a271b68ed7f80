import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { AuditBuffer } from '../audit/store/AuditBuffer.ts';
import type { EventStreams } from '../http/EventStreams.ts';
import type { Installations } from '../installation/Installations.ts';
import type { MailTransport } from '../mail/MailTransport.ts';
import type { Changes } from '../mongo/watchChanges.ts';
import type { Identity } from '../principal/Identity.ts';
import type { PrincipalKey } from '../principal/principals.ts';
import type { Secrets } from '../secrets/deriveSecret.ts';
import type { Storage } from '../storage/Storage.ts';
import type { Telemetry } from '../telemetry/Telemetry.ts';
import type { KeySet } from '../token/KeySet.ts';
import type { UsageLedger } from '../usage/UsageLedger.ts';
import type { AskSubgraph } from './AskSubgraph.ts';
import type { CatalogSettings } from './CatalogSettings.ts';
import type { PaymentSettings } from './PaymentSettings.ts';
import type { RateLimits } from './RateLimits.ts';
import type { Signals } from './signals.ts';

/** Something that collects in memory what is stored a little later. */
export interface Buffered {
  /** Stores the buffered events and starts no further timers. */
  close(): Promise<void>;
}

/** Resources that a process has once, regardless of its subgraphs. */
export interface Platform {
  readonly issuer: string;
  readonly secrets: Secrets;
  /** Signs and verifies the context that a router hands to a subgraph of another process. */
  readonly contextKey: KeyObject;
  readonly keys: KeySet;
  readonly installations: Installations;
  readonly log: Logger;
  /** Milliseconds since 1970; tests set it. */
  readonly now: () => number;
  /** Verifies credentials and reads the principal; `fresh` bypasses the cache. */
  identify(authorization: string | string[] | undefined, fresh: boolean): Identity | Promise<Identity>;
  /** For development only: external issuers, and stock images, may have private addresses and use plain HTTP. */
  readonly allowPrivateIssuers: boolean;
  /** `host:port` of self-hosted model providers, which may have private addresses and use plain HTTP. */
  readonly privateAiHosts: ReadonlySet<string>;
  /** Budgets of executions, by rate class and caller. */
  readonly rateLimits: RateLimits;
  /** Buffers audit events that no response waits for. */
  readonly auditBuffer: AuditBuffer;
  /** Puts a question to another subgraph; see `question`. */
  readonly ask: AskSubgraph;
  /** Sends mails. Use cases call `queueMail` instead. */
  readonly mail: MailTransport;
  /** Settings of the catalogue search. */
  readonly catalog: CatalogSettings;
  /** Settings of payments. */
  readonly payments: PaymentSettings;
  /** File storage of this deployment. */
  readonly storage: Storage;
  /** Metrics and traces of this process; absent if telemetry is off. */
  readonly telemetry?: Telemetry | undefined;
  /** Counts which clients use which parts of the API; absent if the ledger is off. */
  readonly usage?: UsageLedger | undefined;
  /** Starts jobs that have work, from this process or another one. */
  readonly signals: Signals;
  /** Changes by other processes in the database. */
  readonly changes: Changes;
  /** Open server-sent event streams of this process. */
  readonly streams: EventStreams;
  /** Memory buffers to be stored, by name; `close` of the platform flushes each of them once more. */
  readonly buffers: Map<string, Buffered>;
  /** Drops a cached principal after a write in this process. The change stream notifies other processes. */
  forgetPrincipal(key: PrincipalKey): void;
}

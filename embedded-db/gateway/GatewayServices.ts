import type { CursorStore } from './CursorStore.ts';
import type { ChangeStreams } from './changeStreams/ChangeStreams.ts';
import type { KeyedQueue } from './KeyedQueue.ts';
import type { PostgresPool } from './postgres/PostgresPool.ts';
import type { RetryableWrites } from './RetryableWrites.ts';
import type { TransactionStore } from './TransactionStore.ts';

/** Services of the commands; created once for each gateway. */
export interface GatewayServices {
  readonly pool: PostgresPool;
  readonly cursors: CursorStore;
  readonly transactions: TransactionStore;
  readonly retryableWrites: RetryableWrites;
  readonly changeStreams: ChangeStreams;
  /** Upserts with the same filter, one after the other. */
  readonly upserts: KeyedQueue;
  readonly replicaSet: string;
  readonly log: (line: string) => void;
  readonly statistics: { commands: number; connections: number };
  /** The path of the socket that clients reach the gateway at. */
  address: string;
}

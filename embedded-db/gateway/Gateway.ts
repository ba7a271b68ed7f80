import { once } from 'node:events';
import net from 'node:net';
import type { ClientConnection } from './Command.ts';
import { CursorStore } from './CursorStore.ts';
import { ChangeStreams } from './changeStreams/ChangeStreams.ts';
import type { GatewayServices } from './GatewayServices.ts';
import { startHousekeeping } from './housekeeping.ts';
import { KeyedQueue } from './KeyedQueue.ts';
import type { PostgresPool } from './postgres/PostgresPool.ts';
import { RetryableWrites } from './RetryableWrites.ts';
import { runCommand } from './runCommand.ts';
import { TransactionStore } from './TransactionStore.ts';
import { FrameReader } from './wire/FrameReader.ts';
import { mongoFraming, readRequest, type WireRequest, writeResponse } from './wire/wire.ts';

export interface GatewayOptions {
  pool: PostgresPool;
  replicaSet: string;
  log: (line: string) => void;
  /** After which an open transaction is aborted; a minute. */
  transactionLifetimeMs?: number | undefined;
}

/** Speaks MongoDB's wire protocol to clients on a Unix socket and SQL to PostgreSQL with DocumentDB. */
export class Gateway {
  readonly #services: GatewayServices;
  readonly #clients = new Set<ClientConnection>();
  readonly #server = net.createServer((socket) => this.#accept(socket));
  #lastClientId = 0;
  #stopHousekeeping = () => {};

  constructor({ pool, replicaSet, log, transactionLifetimeMs }: GatewayOptions) {
    const cursors = new CursorStore(pool);
    this.#services = {
      pool,
      cursors,
      transactions: new TransactionStore(
        pool,
        (transaction) => cursors.dropAllOf(transaction),
        transactionLifetimeMs,
      ),
      retryableWrites: new RetryableWrites(),
      changeStreams: new ChangeStreams(pool, log),
      upserts: new KeyedQueue(),
      replicaSet,
      log,
      statistics: { commands: 0, connections: 0 },
      address: '',
    };
  }

  /**
   * Opens a Unix socket for clients. There is no password: only the owner can enter the directory of the socket.
   * Rejects if the socket cannot be opened.
   */
  async listen(path: string): Promise<void> {
    this.#services.address = path;
    this.#server.listen(path);
    await once(this.#server, 'listening');
    this.#stopHousekeeping = startHousekeeping(this.#services);
  }

  async close(): Promise<void> {
    this.#stopHousekeeping();
    this.#server.close();
    for (const client of this.#clients) client.socket.destroy();
    const { changeStreams, cursors, transactions, pool } = this.#services;
    changeStreams.close();
    cursors.close();
    await transactions.abortAll();
    await pool.close();
  }

  #accept(socket: net.Socket): void {
    this.#lastClientId++;
    const client: ClientConnection = { id: this.#lastClientId, socket, isClosed: false };
    this.#clients.add(client);
    this.#services.statistics.connections = this.#clients.size;
    socket.on('error', () => {}); // the close event that follows says all there is to say
    socket.on('close', () => {
      client.isClosed = true;
      this.#clients.delete(client);
      this.#services.transactions.clientGone(client);
      this.#services.statistics.connections = this.#clients.size;
    });

    // Sequential, because the command after an unacknowledged write must see that write.
    let previous: Promise<void> = Promise.resolve();
    const reader = new FrameReader(mongoFraming, (message) => {
      const request = readRequest(message);
      previous = previous.then(() => this.#answer(client, request));
    });
    socket.on('data', (chunk) => {
      try {
        reader.push(chunk);
      } catch (error) {
        this.#services.log(`closing a connection that does not speak the protocol: ${String(error)}`);
        socket.destroy();
      }
    });
  }

  async #answer(client: ClientConnection, request: WireRequest): Promise<void> {
    if (client.isClosed && !request.moreToCome) return; // the client has disconnected
    const reply = await runCommand(this.#services, client, request);
    if (!request.moreToCome && !client.isClosed) client.socket.write(writeResponse(request, reply));
  }
}

import net from 'node:net';
import { FrameReader } from '../wire/FrameReader.ts';
import {
  bindAndExecute,
  copyData,
  type Parameter,
  parseAndDescribe,
  postgresFraming,
  simpleQuery,
  startup,
  sync,
  terminate,
} from './messages.ts';
import { ConnectionLost, PostgresError } from './PostgresError.ts';
import { decodeColumn, type Row } from './rows.ts';

export interface PostgresAddress {
  /** Directory of the Unix socket. There is no TCP port to protect. */
  socketDirectory: string;
  port: number;
  user: string;
  database: string;
}

interface Pending {
  rows: Row[];
  /** Filled when the description arrives; shared by everything that runs the same prepared statement. */
  columnTypes: number[];
  /** The name that this message prepares, until the server has confirmed it. */
  preparing?: string | undefined;
  isText: boolean;
  error?: PostgresError;
  resolve(rows: Row[]): void;
  reject(error: unknown): void;
}

/**
 * A small PostgreSQL client: Unix socket, trust authentication, prepared statements, pipelining, binary results. It
 * exists because node-postgres converts every field to a UTF-8 string: documents would have to travel as hexadecimal
 * text, at twice the bytes.
 */
export class PostgresConnection {
  /** False after the server or the network has closed it; nothing can then be sent. */
  isOpen = false;
  /** The statement_timeout this session has, if it is known; see `withTimeLimit`. */
  statementTimeoutMs: number | undefined = 0;

  /** Called once when the other side has closed it, before any other observer. */
  onLost: (error: unknown) => void = () => {};

  readonly #socket: net.Socket;
  readonly #pending: Pending[] = [];
  readonly #columnTypes = new Map<string, number[]>();
  #opening: { resolve(): void; reject(error: unknown): void } | undefined;
  #onStreamed: ((body: Buffer) => void) | undefined;

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    const reader = new FrameReader(postgresFraming, (frame) =>
      this.#onMessage(frame[0] ?? 0, frame.subarray(5)),
    );
    socket.on('data', (chunk) => {
      try {
        reader.push(chunk);
      } catch (error) {
        this.#fail(error);
        socket.destroy();
      }
    });
    socket.on('error', (error) => this.#fail(new ConnectionLost(error.message, { cause: error })));
    socket.on('close', () => this.#fail(new ConnectionLost('the database closed the connection')));
  }

  /**
   * Rejects with a PostgresError (57P03 while the server is starting) or a ConnectionLost.
   *
   * @param isReplicating whether `stream` will be used
   */
  static async open(address: PostgresAddress, isReplicating = false): Promise<PostgresConnection> {
    const socket = net.connect({ path: `${address.socketDirectory}/.s.PGSQL.${address.port}` });
    const connection = new PostgresConnection(socket);
    const opened = new Promise<void>((resolve, reject) => {
      connection.#opening = { resolve, reject };
    });
    socket.on('connect', () => socket.write(startup(address.user, address.database, isReplicating)));
    await opened;
    return connection;
  }

  /** Runs a statement with parameters; it is parsed once per connection and name. */
  query(name: string, text: string, parameters: readonly Parameter[] = []): Promise<Row[]> {
    const known = this.#columnTypes.get(name);
    const run = bindAndExecute(name, parameters);
    if (known) return this.#send([run, sync], { columnTypes: known, isText: false });
    // Stored before the response arrives, because a second use may follow immediately, and preparing a name twice is an
    // error.
    const columnTypes: number[] = [];
    this.#columnTypes.set(name, columnTypes);
    return this.#send([parseAndDescribe(name, text), run, sync], {
      columnTypes,
      preparing: name,
      isText: false,
    });
  }

  /** Runs a statement that is not worth remembering. */
  queryOnce(text: string, parameters: readonly Parameter[]): Promise<Row[]> {
    this.#columnTypes.delete(''); // the unnamed statement may be prepared again and again
    return this.query('', text, parameters);
  }

  /** Runs one or several statements without parameters; values are returned as text. */
  execute(text: string): Promise<Row[]> {
    return this.#send([simpleQuery(text)], { columnTypes: [], isText: true });
  }

  /**
   * Runs a command that both sides then use as a stream, such as START_REPLICATION. The connection accepts no further
   * statement. `onLost` is called if the server ends the stream.
   */
  async stream(text: string, onStreamed: (body: Buffer) => void): Promise<void> {
    this.#onStreamed = onStreamed;
    await this.execute(text);
  }

  /** Sends a message on the stream. */
  push(body: Buffer): void {
    if (this.isOpen) this.#socket.write(copyData(body));
  }

  close(): void {
    this.isOpen = false;
    this.#socket.end(terminate);
  }

  #send(parts: Buffer[], expectation: Pick<Pending, 'columnTypes' | 'isText' | 'preparing'>): Promise<Row[]> {
    if (!this.isOpen) return Promise.reject(new ConnectionLost('the database closed the connection'));
    return new Promise((resolve, reject) => {
      this.#pending.push({ ...expectation, rows: [], resolve, reject });
      this.#socket.write(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
    });
  }

  #fail(error: unknown): void {
    if (this.isOpen) {
      this.isOpen = false;
      this.onLost(error);
    }
    this.#opening?.reject(error);
    this.#opening = undefined;
    for (const pending of this.#pending.splice(0)) pending.reject(error);
  }

  #onMessage(type: number, body: Buffer): void {
    const pending = this.#pending[0];
    switch (String.fromCharCode(type)) {
      case 'D':
        if (pending) pending.rows.push(readRow(body, pending));
        break;
      case '1': // ParseComplete: the name stays prepared, whatever happens to this execution
        if (pending) pending.preparing = undefined;
        break;
      case 'T':
        pending?.columnTypes.splice(0, Infinity, ...readColumnTypes(body));
        break;
      case 'W': // CopyBothResponse: the stream has begun
        this.#pending.shift()?.resolve([]);
        break;
      case 'd':
        this.#onStreamed?.(body);
        break;
      case 'E':
        this.#onError(PostgresError.fromBody(body), pending);
        break;
      case 'Z':
        this.#onReady();
        break;
      case 'R':
        if (body.readInt32BE(0) !== 0) this.#fail(new Error('the database asks for a password'));
        break;
    }
  }

  #onError(error: PostgresError, pending: Pending | undefined): void {
    if (!pending) {
      this.#fail(error); // refused at the start, or closed while idle
      return;
    }
    pending.error = error;
    if (pending.preparing !== undefined) this.#columnTypes.delete(pending.preparing);
  }

  #onReady(): void {
    if (this.#opening) {
      this.isOpen = true;
      this.#opening.resolve();
      this.#opening = undefined;
      return;
    }
    const pending = this.#pending.shift();
    if (pending?.error) pending.reject(pending.error);
    else pending?.resolve(pending.rows);
  }
}

function readRow(body: Buffer, { isText, columnTypes }: Pending): Row {
  const row: Row = [];
  const columns = body.readInt16BE(0);
  let position = 2;
  for (let column = 0; column < columns; column++) {
    const length = body.readInt32BE(position);
    position += 4;
    if (length < 0) {
      row.push(null);
      continue;
    }
    const value = body.subarray(position, position + length);
    row.push(isText ? value.toString('utf8') : decodeColumn(columnTypes[column] ?? 0, value));
    position += length;
  }
  return row;
}

function readColumnTypes(body: Buffer): number[] {
  const types: number[] = [];
  const count = body.readInt16BE(0);
  let position = 2;
  for (let column = 0; column < count; column++) {
    position = body.indexOf(0, position) + 1; // the column's name
    types.push(body.readUInt32BE(position + 6)); // after the table's id and the column's number
    position += 18;
  }
  return types;
}

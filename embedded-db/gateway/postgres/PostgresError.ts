/** An ErrorResponse of the server. `sqlState` is the five characters of Appendix A of PostgreSQL's manual. */
export class PostgresError extends Error {
  readonly sqlState: string;
  readonly constraint: string | undefined;

  constructor(message: string, sqlState: string, constraint?: string) {
    super(message);
    this.sqlState = sqlState;
    this.constraint = constraint;
  }

  /** Reads the body of an ErrorResponse: fields of one letter and a terminated text, ended by a zero byte. */
  static fromBody(body: Buffer): PostgresError {
    const fields = new Map<string, string>();
    let position = 0;
    while (position < body.length && body[position] !== 0) {
      const end = body.indexOf(0, position + 1);
      if (end < 0) break;
      fields.set(String.fromCharCode(body[position] ?? 0), body.toString('utf8', position + 1, end));
      position = end + 1;
    }
    return new PostgresError(fields.get('M') ?? 'unknown error', fields.get('C') ?? 'XX000', fields.get('n'));
  }
}

/** The connection to the server was lost during an operation, whose outcome is unknown. */
export class ConnectionLost extends Error {}

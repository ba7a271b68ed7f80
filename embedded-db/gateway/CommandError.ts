import { codeNameOf, codeOf, type ErrorName } from './errorCodes.ts';

/** Labels tell a driver what it may do about an error; see the MongoDB transactions specification. */
export type ErrorLabel = 'TransientTransactionError';

/** An error that is returned to the client in MongoDB's terms. */
export class CommandError extends Error {
  readonly code: number;
  readonly labels: ErrorLabel[];
  readonly details: Record<string, unknown>;

  constructor(
    error: ErrorName | number,
    message: string,
    { labels = [], details = {} }: { labels?: ErrorLabel[]; details?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.code = typeof error === 'number' ? error : codeOf(error);
    this.labels = labels;
    this.details = details;
  }

  toDocument(): Record<string, unknown> {
    return {
      ok: 0,
      errmsg: this.message,
      code: this.code,
      codeName: codeNameOf(this.code),
      ...this.details,
      ...(this.labels.length > 0 ? { errorLabels: this.labels } : {}),
    };
  }
}

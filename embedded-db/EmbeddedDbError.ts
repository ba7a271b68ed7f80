const remedy = 'To use a MongoDB of your own (7 or later, a replica set), set MONGODB_URI.';

/** The embedded database is unavailable or does not start. The message states the reason and the remedy. */
export class EmbeddedDbError extends Error {
  /** Reason without the remedy. */
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    const plain = reason.replace(/[.\s]+$/, '');
    super(`${plain}. ${remedy}`, options);
    this.name = 'EmbeddedDbError';
    this.reason = plain;
  }
}

/** Returns the text of a thrown value, for a message. */
export function reasonOf(error: unknown): string {
  if (error instanceof EmbeddedDbError) return error.reason;
  return error instanceof Error ? error.message : String(error);
}

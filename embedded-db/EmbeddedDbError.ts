const remedy = 'To use a MongoDB of your own (7 or later, a replica set), set MONGODB_URI.';

/** The embedded database cannot be had or started. The message says why and ends with what to do instead. */
export class EmbeddedDbError extends Error {
  /** Why, without the remedy. */
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    const plain = reason.replace(/[.\s]+$/, '');
    super(`${plain}. ${remedy}`, options);
    this.name = 'EmbeddedDbError';
    this.reason = plain;
  }
}

/** The text of whatever was thrown, for a message. */
export function reasonOf(error: unknown): string {
  if (error instanceof EmbeddedDbError) return error.reason;
  return error instanceof Error ? error.message : String(error);
}

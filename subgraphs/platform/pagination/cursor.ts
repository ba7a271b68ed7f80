import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';

const lifetimeMs = 24 * 3600 * 1000;

/** Where a page ends: the values of the sort keys of its last record, the id last. */
export type Position = readonly (string | number | null)[];

/**
 * Cursor of a keyset page: base64url(AES-256-GCM(position, filters, installation, principal, time)). It carries no
 * right, shows nothing, and is good for 24 hours, for the same caller and the same filters only.
 *
 * @param filters everything that shapes the list; a cursor of other filters is refused
 */
export function encodeCursor(context: RequestContext, filters: unknown, position: Position): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(context), iv);
  cipher.setAAD(bindingOf(context, filters));
  const text = JSON.stringify([context.platform.now(), ...position]);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

/** @throws AppError `invalid_cursor` for anything but a live cursor of this caller and these filters */
export function decodeCursor(context: RequestContext, filters: unknown, cursor: string): Position {
  const [issuedAt, ...position] = open(context, filters, cursor);
  if (typeof issuedAt !== 'number' || context.platform.now() - issuedAt > lifetimeMs) throw invalidCursor();
  return position;
}

function open(context: RequestContext, filters: unknown, cursor: string): (string | number | null)[] {
  try {
    const bytes = Buffer.from(cursor, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', keyOf(context), bytes.subarray(0, 12));
    decipher.setAAD(bindingOf(context, filters));
    decipher.setAuthTag(bytes.subarray(-16));
    return JSON.parse(
      Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8'),
    );
  } catch {
    throw invalidCursor();
  }
}

function invalidCursor(): AppError {
  return new AppError(
    'invalid_cursor',
    'This cursor is not of this list, or older than 24 hours: start from the first page.',
  );
}

const keys = new WeakMap<object, Buffer>();

function keyOf({ platform }: RequestContext): Buffer {
  const known = keys.get(platform.secrets);
  if (known) return known;
  const key = platform.secrets.derive('cursor', 32);
  keys.set(platform.secrets, key);
  return key;
}

function bindingOf(context: RequestContext, filters: unknown): Buffer {
  const caller = context.viewerOrNull?.id ?? 'public';
  return createHash('sha256')
    .update(JSON.stringify([context.installationId, caller, filters]))
    .digest();
}

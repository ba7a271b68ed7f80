import { createHash } from 'node:crypto';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { open, seal } from '../secrets/seal.ts';
import { dayMs } from '../time/durations.ts';

const lifetimeMs = dayMs;

/** End of a page: the values of the sort keys of its last record, the id last. */
export type Position = readonly (string | number | null)[];

/**
 * Returns the cursor of a keyset page: base64url(AES-256-GCM(position, filters, installation, principal, time)). It
 * grants no right and reveals nothing. It is valid for 24 hours, for the same caller and filters only.
 *
 * @param filters everything that shapes the list; a cursor of other filters is refused
 */
export function encodeCursor(context: RequestContext, filters: unknown, position: Position): string {
  const text = JSON.stringify([context.platform.now(), ...position]);
  return seal(keyOf(context), text, bindingOf(context, filters));
}

/**
 * Returns the position of a cursor.
 *
 * @param goodForMs validity other than 24 hours, for a list that limits its age itself
 * @throws AppError `invalid_cursor` for anything but a valid cursor of this caller and these filters
 */
export function decodeCursor(
  context: RequestContext,
  filters: unknown,
  cursor: string,
  goodForMs = lifetimeMs,
): Position {
  const text = open(keyOf(context), cursor, bindingOf(context, filters));
  if (!text) throw invalidCursor();
  const [issuedAt, ...position] = JSON.parse(text.toString('utf8')) as [
    number,
    ...(string | number | null)[],
  ];
  if (context.platform.now() - issuedAt > goodForMs) throw invalidCursor();
  return position;
}

function invalidCursor(): AppError {
  return new AppError(
    'invalid_cursor',
    'This cursor belongs to another list or is older than 24 hours. Start again with the first page.',
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

function bindingOf(context: RequestContext, filters: unknown): string {
  const caller = context.viewerOrNull?.id ?? 'public';
  return createHash('sha256')
    .update(JSON.stringify([context.installationId, caller, filters]))
    .digest('base64url');
}

import { createHash } from 'node:crypto';
import type { RateClass } from '../../../schema/guards/readRateClass.ts';
import type { Window } from '../context/Budget.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { decodeRefreshToken } from '../credentials/refreshToken.ts';
import { begunUploads } from './begunUploads.ts';
import { toClientNetwork } from './toClientNetwork.ts';

/** Counted in the memory of each process, which tell each other every second; its window is always a minute. */
export interface MemoryRule {
  readonly store: 'memory';
  windowOf(context: RequestContext): Window;
  keyOf(context: RequestContext): string;
}

/** Counted in the database, exactly. */
export interface DatabaseRule {
  readonly store: 'database';
  /** Returns the charges, one command each, in this order; the first refusal ends it. */
  chargesOf(context: RequestContext, args: object): readonly Charge[];
}

/** One charge, which needs room in each of its windows. */
export interface Charge {
  readonly windows: readonly Window[];
  /** Key of the counter. */
  readonly key: string;
  /** Cost in each window; 1 by default. Bytes if a window counts bytes. */
  readonly cost?: number;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const window = (name: string, limit: number, seconds: number): Window => ({ name, limit, seconds });
const inMinute = (name: string, limit: number) => window(name, limit, minute);

/**
 * The budgets. Other limits of a class are rules of its resource: one export a day and one running import are states of
 * records, a gigabyte of uploads a day counts bytes (media/chargeBytes.ts), and five open streams count what is open.
 */
export const classRules: Readonly<Record<RateClass, MemoryRule | DatabaseRule>> = {
  AUTH_TOKEN: { store: 'database', chargesOf: tokenCharges },
  AUTH_REGISTER: exactly(networkOf, [inMinute('auth-register', 3), window('auth-register-day', 20, day)]),
  AUTH_RESET: { store: 'database', chargesOf: resetCharges },
  AUTH: exactly(principalOf, [inMinute('auth', 10)]),
  MESSAGE: { store: 'database', chargesOf: messageCharges },
  UPLOAD: { store: 'database', chargesOf: uploadCharges },
  AI: exactly(principalOf, [inMinute('ai', 10)]),
  IMPORT: exactly(dealerOf, [window('import', 10, hour)]),
  MONEY: exactly(principalOf, [inMinute('money', 20)]),
  REPORT: exactly(principalOf, [window('report', 20, day)]),
  READ: perPrincipal('read', 300, 600),
  WRITE: perPrincipal('write', 60, 300),
  EXPORT: perPrincipal('write', 60, 300),
  STREAM: perPrincipal('read', 300, 600),
  PUBLIC_READ: perNetwork('public-read', 300),
  PUBLIC_SEARCH: perNetwork('public-search', 60),
  WEBHOOK: perNetwork('webhook', 600),
};

const message = [inMinute('message', 20), window('message-hour', 200, hour)];
const beginning = window('conversation-hour', 20, hour);
const upload = [inMinute('upload', 60)];
const signIn = [inMinute('auth-token', 10)];
const refresh = [inMinute('auth-refresh', 30)];
const reset = [inMinute('auth-reset', 3)];
const resetOfAddress = [window('auth-reset-address', 5, day)];

/**
 * Returns the charges of a token request. A refresh is charged to its session, regardless of the number of clients at
 * its address. An invalid refresh token counts as a sign-in.
 */
function tokenCharges(context: RequestContext, args: object): Charge[] {
  const { grantType, refreshToken } = membersOf(args);
  if (grantType === 'refresh_token' && typeof refreshToken === 'string') {
    const decoded = decodeRefreshToken(context.platform.secrets.derive('refresh'), refreshToken);
    if (decoded) return [{ windows: refresh, key: decoded.sessionId }];
  }
  return [{ windows: signIn, key: networkOf(context) }];
}

/**
 * Returns the charges of an upload. A form with a file declares and completes it in one request, which is one upload.
 */
function uploadCharges(context: RequestContext, args: object): Charge[] {
  const { mediaId } = membersOf(args);
  const isPaid = typeof mediaId === 'string' && context.loader(begunUploads).has(mediaId);
  return isPaid ? [] : [{ windows: upload, key: principalOf(context) }];
}

/** Returns the charges of a message. A message that names a listing or a dealer starts a conversation. */
function messageCharges(context: RequestContext, args: object): Charge[] {
  const { listingId, dealerId } = membersOf(args);
  const windows = listingId || dealerId ? [...message, beginning] : message;
  return [{ windows, key: principalOf(context) }];
}

/**
 * Returns the charges of a reset. The client is charged first, so that one without budget does not use up that of the
 * address.
 */
function resetCharges(context: RequestContext, args: object): Charge[] {
  const { email } = membersOf(args);
  const charges: Charge[] = [{ windows: reset, key: networkOf(context) }];
  if (typeof email === 'string') {
    charges.push({ windows: resetOfAddress, key: digest(email.trim().normalize('NFC').toLowerCase()) });
  }
  return charges;
}

function exactly(
  keyOf: (context: RequestContext, args: object) => string,
  windows: readonly Window[],
): DatabaseRule {
  return { store: 'database', chargesOf: (context, args) => [{ windows, key: keyOf(context, args) }] };
}

/** Returns a charge for each principal. Anonymous callers of a public field are counted by IP address. */
function perPrincipal(name: string, limit: number, clientLimit: number): MemoryRule {
  const [person, client] = [inMinute(name, limit), inMinute(name, clientLimit)];
  return {
    store: 'memory',
    windowOf: ({ viewerOrNull }) => (viewerOrNull?.isClient ? client : person),
    keyOf: principalOf,
  };
}

function perNetwork(name: string, limit: number): MemoryRule {
  const only = inMinute(name, limit);
  return { store: 'memory', windowOf: () => only, keyOf: networkOf };
}

function principalOf(context: RequestContext): string {
  return context.viewerOrNull?.id ?? networkOf(context);
}

function networkOf({ clientAddress }: RequestContext): string {
  return toClientNetwork(clientAddress);
}

function dealerOf(context: RequestContext, args: object): string {
  const { dealerId } = membersOf(args);
  const ofClient = context.viewerOrNull?.token.dealerId;
  return ofClient ?? (typeof dealerId === 'string' ? digest(dealerId) : principalOf(context));
}

/** Returns the members of `input`, or the arguments themselves. */
function membersOf(args: object): Record<string, unknown> {
  const { input } = args as { input?: unknown };
  return (typeof input === 'object' && input !== null ? input : args) as Record<string, unknown>;
}

/** Returns a digest, because input of clients may have any length. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

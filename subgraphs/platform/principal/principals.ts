import { LRUCache } from 'lru-cache';
import type { Changes, RecordChange, WatchedCollection } from '../mongo/watchChanges.ts';
import type { PrincipalReader, PrincipalVerdict } from './PrincipalVerdict.ts';
import { createPrincipalReads } from './principalReads.ts';
import { readClientPrincipal } from './readClientPrincipal.ts';
import { readOperatorPrincipal } from './readOperatorPrincipal.ts';
import { readUserPrincipal } from './readUserPrincipal.ts';
import type { TokenFacts } from './Viewer.ts';

/** Readers of principals by the type of the token's subject. */
const readers: Readonly<Record<TokenFacts['subjectType'], PrincipalReader>> = {
  user: readUserPrincipal,
  client: readClientPrincipal,
  operator: readOperatorPrincipal,
};

/** A verdict and whom it was read for. */
interface Remembered {
  readonly verdict: PrincipalVerdict;
  readonly subject: string;
  readonly installationId: string;
}

/** Entries to drop: one session's, all of a user or an API client, or those of all members of a dealer. */
export type PrincipalKey =
  | { sessionId: string }
  | { userId: string }
  | { clientId: string }
  | { dealerId: string };

/** Reads principals, from memory when they were read less than five seconds ago, or are being read. */
export interface Principals {
  read(token: TokenFacts, fresh: boolean): PrincipalVerdict | Promise<PrincipalVerdict>;
  forget(key: PrincipalKey): void;
  close(): void;
}

/**
 * Opens the principal cache. The change stream drops entries, so a suspension or a revocation takes effect immediately
 * in every process. If the stream fails, the age limit still applies.
 *
 * @param maxAgeMs maximum age of an entry
 */
export function openPrincipals({
  now,
  changes,
  maxAgeMs = 5000,
}: {
  now: () => number;
  changes: Changes;
  maxAgeMs?: number;
}): Principals {
  const cache = new LRUCache<string, Remembered>({ max: 20_000, ttl: maxAgeMs });
  const reads = createPrincipalReads();
  const forgetWhere = (isMeant: (entry: Remembered) => boolean): void => {
    for (const [sessionId, entry] of cache.entries()) if (isMeant(entry)) cache.delete(sessionId);
  };
  const forgetSession = (id: string): void => {
    cache.delete(id);
    reads.doubt(({ sessionId }) => sessionId === id);
  };
  const forgetSubject = (id: string): void => {
    forgetWhere(({ subject }) => subject === id);
    reads.doubt(({ subject }) => subject === id);
  };
  /** The dealers of a pending read are unknown, so all pending reads are outdated. */
  const forgetDealer = (id: string): void => {
    forgetWhere(({ verdict }) => isOf(verdict, id));
    reads.doubt(() => true);
  };
  const forgetAll = (): void => {
    cache.clear();
    reads.doubt(() => true);
  };
  const stops = watchPrincipals(changes, { session: forgetSession, subject: forgetSubject, all: forgetAll });
  const load = (token: TokenFacts): Promise<PrincipalVerdict> => {
    const { sessionId, subject, installationId } = token;
    return reads.begin({ token, verdict: readers[token.subjectType](token, now()) }, (verdict) =>
      cache.set(sessionId, { verdict, subject, installationId }),
    );
  };
  /** A read for one subject is not used for another one who names the same session. */
  const find = ({ sessionId, subject, installationId }: TokenFacts): PrincipalVerdict | undefined => {
    const entry = cache.get(sessionId);
    return entry?.subject === subject && entry.installationId === installationId ? entry.verdict : undefined;
  };
  return {
    read: (token, fresh) => (fresh ? undefined : (find(token) ?? reads.find(token))) ?? load(token),
    forget(key) {
      if ('sessionId' in key) forgetSession(key.sessionId);
      else if ('dealerId' in key) forgetDealer(key.dealerId);
      else forgetSubject('userId' in key ? key.userId : key.clientId);
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** Returns whether the principal acts for a dealer. */
function isOf(verdict: PrincipalVerdict, dealerId: string): boolean {
  return 'principal' in verdict && verdict.principal.memberships.some((one) => one.dealerId === dealerId);
}

/** Members that every sign-in and refresh changes, and that no verdict depends on. */
const unseen: ReadonlySet<string> = new Set(['lastSignInAt', 'lastUsedAt', 'updatedAt', 'version']);

/**
 * Returns whether a change concerns only members that no verdict depends on. Dropping an entry for each would empty the
 * cache.
 */
function isMere({ operation, members }: RecordChange): boolean {
  return operation === 'update' && members.every((name) => unseen.has(name));
}

interface PrincipalListeners {
  session(sessionId: string): void;
  subject(id: string): void;
  all(): void;
}

function watchPrincipals(changes: Changes, listeners: PrincipalListeners): (() => void)[] {
  const watch = (collection: WatchedCollection, onChange: (id: string) => void): (() => void) =>
    changes.listen(collection, {
      onChange(change) {
        if (!isMere(change)) onChange(change.id);
      },
      onGap: listeners.all,
    });
  return [
    watch('sessions', listeners.session),
    watch('users', listeners.subject),
    watch('api_clients', listeners.subject),
    watch('operators', listeners.subject),
    watch('dealers', listeners.all),
  ];
}

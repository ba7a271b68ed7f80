import { LRUCache } from 'lru-cache';
import type { Changes, RecordChange, WatchedCollection } from '../mongo/watchChanges.ts';
import type { PrincipalReader, PrincipalVerdict } from './PrincipalVerdict.ts';
import { createPrincipalReads } from './principalReads.ts';
import { readClientPrincipal } from './readClientPrincipal.ts';
import { readOperatorPrincipal } from './readOperatorPrincipal.ts';
import { readUserPrincipal } from './readUserPrincipal.ts';
import type { TokenFacts } from './Viewer.ts';

/** Who stands behind a token, by the kind of its subject. */
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

/** Whose entries are to be dropped: one session's, all of a person or an API client, or of everybody in a dealer. */
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
 * Opens the principal cache. It is dropped by change stream, so a suspension or a revocation acts at once in every
 * process; should the stream fail, the age limit still holds.
 *
 * @param maxAgeMs how long an entry may serve without being read again
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
  /** Who is of the dealer is not known of a read that is under way. */
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
  /** What was read for one subject says nothing of another one who names the same session. */
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

/** Whether a principal that acts for a dealer was read. */
function isOf(verdict: PrincipalVerdict, dealerId: string): boolean {
  return 'principal' in verdict && verdict.principal.memberships.some((one) => one.dealerId === dealerId);
}

/** What changes with every sign-in and every refresh, and no verdict looks at. */
const unseen: ReadonlySet<string> = new Set(['lastSignInAt', 'lastUsedAt', 'updatedAt', 'version']);

/** Whether a change touches only what no verdict looks at: dropping an entry for each would leave nothing to remember. */
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

import { LRUCache } from 'lru-cache';
import mongoose from 'mongoose';
import type { DealerRole } from '../../../schema/guards/readGuard.ts';
import type { Principal, TokenFacts, UserState } from './Viewer.ts';

/**
 * The pinned projections over the identity collections that every subgraph reads to know a principal. A contract test
 * in identity fails when one of these members changes its name or meaning.
 */
interface SessionProjection {
  revokedAt: Date | null;
  idleExpiresAt: Date;
  absoluteExpiresAt: Date;
  user: { state: UserState; emailVerified: boolean; roles: string[] }[];
}

interface DealerProjection {
  _id: string;
  tradeName: string;
  state: string;
  members: { userId: string; role: string; locationIds: string[] }[];
}

/** Why a session does not make its token good. */
export type PrincipalVerdict =
  | { readonly principal: Principal }
  | { readonly refused: 'session_revoked' | 'subject_unknown' };

/** A verdict and whom it was read for. */
interface Remembered {
  readonly verdict: PrincipalVerdict;
  readonly userId: string;
  readonly installationId: string;
}

/** Reads principals, from memory when they were read less than five seconds ago. */
export interface Principals {
  read(token: TokenFacts, fresh: boolean): PrincipalVerdict | Promise<PrincipalVerdict>;
  forget(key: { sessionId: string } | { userId: string }): void;
  close(): Promise<void>;
}

/**
 * Opens the principal cache. It is dropped by change stream, so a suspension or a revocation acts at once in every
 * process; should the stream fail, the age limit still holds.
 *
 * @param maxAgeMs how long an entry may serve without being read again
 */
export function openPrincipals({
  now,
  maxAgeMs = 5000,
}: {
  now: () => number;
  maxAgeMs?: number;
}): Principals {
  const cache = new LRUCache<string, Remembered>({ max: 20_000, ttl: maxAgeMs });
  const forgetUser = (userId: string): void => {
    for (const [sessionId, entry] of cache.entries()) if (entry.userId === userId) cache.delete(sessionId);
  };
  const streams = watchPrincipals({
    session: (id) => cache.delete(id),
    user: forgetUser,
    all: () => cache.clear(),
  });
  const load = async (token: TokenFacts): Promise<PrincipalVerdict> => {
    const verdict = await readPrincipal(token, now());
    const { sessionId, subject: userId, installationId } = token;
    cache.set(sessionId, { verdict, userId, installationId });
    return verdict;
  };
  /** What was read for one subject says nothing of another one who names the same session. */
  const find = ({ sessionId, subject, installationId }: TokenFacts): PrincipalVerdict | undefined => {
    const entry = cache.get(sessionId);
    return entry?.userId === subject && entry.installationId === installationId ? entry.verdict : undefined;
  };
  return {
    read: (token, fresh) => (fresh ? undefined : find(token)) ?? load(token),
    forget: (key) => ('sessionId' in key ? void cache.delete(key.sessionId) : forgetUser(key.userId)),
    close: async () => {
      await Promise.all(streams.map((stream) => stream.close()));
    },
  };
}

/** Two commands: the session with its user, and the dealers the user is a member of. */
async function readPrincipal(token: TokenFacts, nowMs: number): Promise<PrincipalVerdict> {
  const database = mongoose.connection.db;
  if (!database) throw new Error('No database connection.');
  const { installationId } = token;
  const [sessions, dealers] = await Promise.all([
    database
      .collection<SessionProjection & { _id: string }>('sessions')
      .aggregate<SessionProjection>([
        { $match: { _id: token.sessionId, installationId, userId: token.subject } },
        { $lookup: { from: 'users', localField: 'userId', foreignField: '_id', as: 'user' } },
        {
          $project: {
            revokedAt: 1,
            idleExpiresAt: 1,
            absoluteExpiresAt: 1,
            'user.state': 1,
            'user.emailVerified': 1,
            'user.roles': 1,
          },
        },
      ])
      .toArray(),
    database
      .collection<DealerProjection>('dealers')
      .find(
        { installationId, 'members.userId': token.subject },
        {
          projection: { tradeName: 1, state: 1, members: { $elemMatch: { userId: token.subject } } },
          sort: { _id: 1 },
        },
      )
      .toArray(),
  ]);
  return judge(sessions[0], dealers, nowMs);
}

function judge(
  session: SessionProjection | undefined,
  dealers: DealerProjection[],
  nowMs: number,
): PrincipalVerdict {
  const user = session?.user[0];
  if (session && (!user || user.state === 'deleted')) return { refused: 'subject_unknown' };
  if (!session || !user || session.revokedAt) return { refused: 'session_revoked' };
  if (session.idleExpiresAt.getTime() <= nowMs || session.absoluteExpiresAt.getTime() <= nowMs) {
    return { refused: 'session_revoked' };
  }
  const memberships = dealers.flatMap((dealer) =>
    dealer.members.map((member) => ({
      dealerId: dealer._id,
      name: dealer.tradeName,
      dealerState: dealer.state,
      role: member.role.toUpperCase() as DealerRole,
      locationIds: member.locationIds,
    })),
  );
  return {
    principal: { state: user.state, emailVerified: user.emailVerified, roles: user.roles, memberships },
  };
}

interface PrincipalListeners {
  session(sessionId: string): void;
  user(userId: string): void;
  all(): void;
}

function watchPrincipals(listeners: PrincipalListeners): mongoose.mongo.ChangeStream[] {
  const watch = (collection: string, onChange: (id: string) => void): mongoose.mongo.ChangeStream => {
    const stream = mongoose.connection.collection(collection).watch([], { maxAwaitTimeMS: 1000 });
    stream.on('change', (change) => {
      if ('documentKey' in change) onChange(String(change.documentKey._id));
      else listeners.all();
    });
    stream.on('error', () => listeners.all());
    return stream;
  };
  return [
    watch('sessions', listeners.session),
    watch('users', listeners.user),
    watch('dealers', listeners.all),
  ];
}

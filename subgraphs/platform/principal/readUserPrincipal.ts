import type { DealerRole } from '../../../schema/guards/readGuard.ts';
import { aggregateDirectly, findDirectly } from '../mongo/directReads.ts';
import type { PrincipalReader, PrincipalVerdict } from './PrincipalVerdict.ts';
import type { UserState } from './Viewer.ts';

/**
 * The fixed projections over the identity collections that every subgraph reads to identify a user. A contract test in
 * identity fails if one of these members changes its name or meaning.
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

/** Reads the session with its user, and the user's dealers, in two commands. */
export const readUserPrincipal: PrincipalReader = async (token, nowMs) => {
  const { installationId } = token;
  const [sessions, dealers] = await Promise.all([
    aggregateDirectly<SessionProjection>('sessions', [
      { $match: { _id: token.sessionId, installationId, userId: token.subject } },
      {
        $lookup: {
          from: 'users',
          localField: 'userId',
          foreignField: '_id',
          // On a sharded cluster, this leads to one shard.
          pipeline: [{ $match: { installationId } }],
          as: 'user',
        },
      },
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
    ]),
    findDirectly<DealerProjection>(
      'dealers',
      { installationId, 'members.userId': token.subject },
      {
        projection: { tradeName: 1, state: 1, members: { $elemMatch: { userId: token.subject } } },
        sort: { _id: 1 },
      },
    ),
  ]);
  return judge(sessions[0], dealers, nowMs);
};

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

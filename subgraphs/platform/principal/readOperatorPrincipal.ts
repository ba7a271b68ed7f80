import { aggregateDirectly } from '../mongo/directReads.ts';
import type { PrincipalReader } from './PrincipalVerdict.ts';

/** The fixed projection over `sessions` and `operators`; a contract test in identity checks its members. */
interface OperatorProjection {
  revokedAt: Date | null;
  absoluteExpiresAt: Date;
  operator: { state: string }[];
}

/**
 * Reads the operator of the session in this installation in one command. The operator holds only the role `operator`,
 * and belongs to no dealer. Removing the operator revokes all of its tokens, in every installation.
 */
export const readOperatorPrincipal: PrincipalReader = async (token, nowMs) => {
  const { installationId } = token;
  const [session] = await aggregateDirectly<OperatorProjection>('sessions', [
    { $match: { _id: token.sessionId, installationId, userId: token.subject } },
    { $lookup: { from: 'operators', localField: 'userId', foreignField: '_id', as: 'operator' } },
    { $project: { revokedAt: 1, absoluteExpiresAt: 1, 'operator.state': 1 } },
  ]);
  if (session && session.operator[0]?.state !== 'active') return { refused: 'subject_unknown' };
  if (!session || session.revokedAt || session.absoluteExpiresAt.getTime() <= nowMs)
    return { refused: 'session_revoked' };
  return { principal: { state: 'active', emailVerified: false, roles: ['operator'], memberships: [] } };
};

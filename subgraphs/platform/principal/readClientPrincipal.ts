import { aggregateDirectly } from '../mongo/directReads.ts';
import type { PrincipalReader } from './PrincipalVerdict.ts';

/** The fixed projection over `api_clients`; a contract test in identity checks its members. */
interface ClientProjection {
  dealerId: string;
  allowedCidrs: string[];
  expiresAt: Date | null;
  dealer: { tradeName: string; state: string }[];
}

/** A dealer in one of these states has no API clients; in every other one they act as its members do. */
const statesWithoutClients: ReadonlySet<string> = new Set(['closing', 'closed']);

/**
 * Reads the API client with its dealer in one command. It acts as the dealer's manager, within its scopes and networks,
 * and holds no role of the installation. The session of its tokens is stored in the client itself. Deleting the client
 * or ending its session therefore revokes every token.
 */
export const readClientPrincipal: PrincipalReader = async (token, nowMs) => {
  const { installationId } = token;
  const [client] = await aggregateDirectly<ClientProjection>('api_clients', [
    {
      $match: {
        _id: token.subject,
        installationId,
        sessionId: token.sessionId,
        dealerId: token.dealerId ?? '',
      },
    },
    {
      $lookup: {
        from: 'dealers',
        localField: 'dealerId',
        foreignField: '_id',
        // On a sharded cluster, this leads to one shard.
        pipeline: [{ $match: { installationId } }],
        as: 'dealer',
      },
    },
    { $project: { dealerId: 1, allowedCidrs: 1, expiresAt: 1, 'dealer.tradeName': 1, 'dealer.state': 1 } },
  ]);
  const dealer = client?.dealer[0];
  const isOver = client?.expiresAt && client.expiresAt.getTime() <= nowMs;
  if (!client || !dealer || isOver || statesWithoutClients.has(dealer.state))
    return { refused: 'session_revoked' };
  const { dealerId, allowedCidrs } = client;
  return {
    principal: {
      state: 'active',
      emailVerified: false,
      roles: [],
      memberships: [
        { dealerId, name: dealer.tradeName, dealerState: dealer.state, role: 'MANAGER', locationIds: [] },
      ],
      allowedCidrs,
    },
  };
};

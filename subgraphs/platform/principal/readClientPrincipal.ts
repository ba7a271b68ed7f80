import { aggregateDirectly } from '../mongo/directReads.ts';
import type { PrincipalReader } from './PrincipalVerdict.ts';

/** The pinned projection over `api_clients`; a contract test in identity holds the members to it. */
interface ClientProjection {
  dealerId: string;
  allowedCidrs: string[];
  expiresAt: Date | null;
  dealer: { tradeName: string; state: string }[];
}

/** A dealer in one of these states has no API clients; in every other one they act as its members do. */
const statesWithoutClients: ReadonlySet<string> = new Set(['closing', 'closed']);

/**
 * One command: the API client with its dealer. It acts as the dealer's manager, within its scopes and networks, and
 * holds no role of the installation. The session of its tokens stands in the client itself, so a client that was
 * deleted, or whose session was ended, takes every token with it.
 */
export const readClientPrincipal: PrincipalReader = async (token, nowMs) => {
  const [client] = await aggregateDirectly<ClientProjection>('api_clients', [
    {
      $match: {
        _id: token.subject,
        installationId: token.installationId,
        sessionId: token.sessionId,
        dealerId: token.dealerId ?? '',
      },
    },
    { $lookup: { from: 'dealers', localField: 'dealerId', foreignField: '_id', as: 'dealer' } },
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

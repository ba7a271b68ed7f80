import { stateMachine } from '../../../platform/states/stateMachine.ts';

/** Why a session was ended before its time. */
const revokeReasons = [
  'logout',
  'revoked',
  'password_changed',
  'suspended',
  'deleted',
  'mfa_reset',
  'refresh_token_reused',
] as const;

/** One of them, as it is stored. */
export type RevokeReason = (typeof revokeReasons)[number];

/** Its times decide whether a session is live, and the reason is stored with the end: no state is. */
export const { transitions } = stateMachine<
  'active' | 'revoked' | 'expired',
  RevokeReason | '30 days without use' | '90 days'
>(
  'A session',
  ['active', 'revoked', 'expired'],
  [
    ...revokeReasons.map((reason) => [reason, ['active'] as const, 'revoked' as const] as const),
    ['30 days without use', ['active'], 'expired'],
    ['90 days', ['active'], 'expired'],
  ],
);

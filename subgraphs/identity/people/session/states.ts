import { stateMachine } from '../../../platform/states/stateMachine.ts';

/** Reasons for ending a session early. */
const revokeReasons = [
  'logout',
  'revoked',
  'password_changed',
  'suspended',
  'deleted',
  'mfa_reset',
  'refresh_token_reused',
] as const;

/** Reason as it is stored. */
export type RevokeReason = (typeof revokeReasons)[number];

/** The times of a session determine whether it is live, and the reason is stored with the end. No state is stored. */
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

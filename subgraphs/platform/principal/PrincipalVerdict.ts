import type { Principal, TokenFacts } from './Viewer.ts';

/** The principal of a token in the database, or the reason why the token is no longer valid. */
export type PrincipalVerdict =
  | { readonly principal: Principal }
  | { readonly refused: 'session_revoked' | 'subject_unknown' };

/** Reads the principal of a verified token from the database, in one or two concurrent commands. */
export type PrincipalReader = (token: TokenFacts, nowMs: number) => Promise<PrincipalVerdict>;

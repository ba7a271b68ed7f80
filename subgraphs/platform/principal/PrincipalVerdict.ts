import type { Principal, TokenFacts } from './Viewer.ts';

/** What the database says of whom a token is for: who he is, or why the token is not good any more. */
export type PrincipalVerdict =
  | { readonly principal: Principal }
  | { readonly refused: 'session_revoked' | 'subject_unknown' };

/** Reads the principal of a verified token from the database, in one or two commands at once. */
export type PrincipalReader = (token: TokenFacts, nowMs: number) => Promise<PrincipalVerdict>;

/** What an accepted access token says. Times are seconds since 1970. */
export interface VerifiedToken {
  /** `usr_…`, `cli_…` or `opr_…` */
  readonly subject: string;
  readonly subjectType: 'user' | 'client' | 'operator';
  /** `ins_…` */
  readonly installationId: string;
  /** `ses_…` */
  readonly sessionId: string;
  /** First-party application or API client; null when the token names none. */
  readonly clientId: string | null;
  readonly scopes: ReadonlySet<string>;
  /** Last sign-in with credentials; 0 when the token states none, so that no step-up takes it for recent. */
  readonly authTime: number;
  /** Methods of that sign-in (RFC 8176). */
  readonly amr: readonly string[];
  readonly acr?: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly tokenId: string;
  /** The one dealer of an API client. */
  readonly dealerId?: string;
  /** The operator behind a delegated token (RFC 8693, 4.1). */
  readonly act?: { readonly sub: string };
}

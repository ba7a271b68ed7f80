/** Content of an accepted access token. Times are seconds since 1970. */
export interface VerifiedToken {
  /** `usr_…`, `cli_…` or `opr_…` */
  readonly subject: string;
  readonly subjectType: 'user' | 'client' | 'operator';
  /** `ins_…` */
  readonly installationId: string;
  /** `ses_…` */
  readonly sessionId: string;
  /** First-party application or API client; null if the token names none. */
  readonly clientId: string | null;
  readonly scopes: ReadonlySet<string>;
  /** Last sign-in with credentials; 0 if the token states none, so that it is not recent for a step-up. */
  readonly authTime: number;
  /** Methods of that sign-in (RFC 8176). */
  readonly amr: readonly string[];
  readonly acr?: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly tokenId: string;
  /** The one dealer of an API client. */
  readonly dealerId?: string;
  /** The operator of a delegated token (RFC 8693, 4.1). */
  readonly act?: { readonly sub: string };
}

/** Codes of problems for which the pages have a text. */
export const toldCodes = [
  'not_found',
  'token_consumed',
  'email_taken',
  'weak_password',
  'validation_failed',
  'invalid_credentials',
  'otp_invalid',
  'too_many_attempts',
  'rate_limited',
  'email_unverified',
  'invitation_for_other_address',
  'invitation_expired',
  'already_member',
  'dealer_not_active',
  'quota_exceeded',
  'account_suspended',
  'account_deletion_scheduled',
  /** The server could not be reached. */
  'offline',
  /** All other paths. */
  'unknown',
] as const;

/** Message of a page for a refusal: the error and its remedy. */
type Messages = Readonly<Record<(typeof toldCodes)[number], string>>;

/** Texts of the account pages in one language. */
export interface AccountTexts {
  readonly noScript: string;
  readonly email: string;
  readonly password: string;
  readonly newPassword: string;
  readonly passwordHint: string;
  readonly showPassword: string;
  /** Button that requests another mail. */
  readonly sendLink: string;
  /** Message after the request, regardless of whether an account exists. */
  readonly linkSent: string;
  readonly confirmEmail: PageTexts & { readonly askAgain: string };
  readonly resetPassword: PageTexts & { readonly askAgain: string };
  readonly acceptInvitation: PageTexts & {
    readonly code: string;
    readonly codeIntro: string;
    readonly codeAction: string;
    /** Message if the token of a mail is missing. */
    readonly noLink: string;
  };
  readonly confirmNotice: PageTexts & {
    /** Message if the token of a mail is missing. */
    readonly noLink: string;
  };
  /** Page to which a payment provider returns the browser. */
  readonly returned: Pick<PageTexts, 'title' | 'done'>;
  readonly messages: Messages;
  /** Messages that differ for an invitation. */
  readonly invitationMessages: Partial<Messages>;
  /** Messages that differ for a notice. */
  readonly noticeMessages: Partial<Messages>;
}

interface PageTexts {
  readonly title: string;
  readonly intro: string;
  /** Label of the button. */
  readonly action: string;
  readonly done: string;
}

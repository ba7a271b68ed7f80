/** Codes of problems that the pages say something about. */
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
  /** Whatever else there is. */
  'unknown',
] as const;

/** What a page says when something is refused: what is the matter, and what to do. */
type Messages = Readonly<Record<(typeof toldCodes)[number], string>>;

/** The words of the pages that mails lead to, in one language. */
export interface AccountTexts {
  readonly noScript: string;
  readonly email: string;
  readonly password: string;
  readonly newPassword: string;
  readonly passwordHint: string;
  readonly showPassword: string;
  /** Button that asks for another mail. */
  readonly sendLink: string;
  /** After it, whether or not there is an account. */
  readonly linkSent: string;
  readonly confirmEmail: PageTexts & { readonly askAgain: string };
  readonly resetPassword: PageTexts & { readonly askAgain: string };
  readonly acceptInvitation: PageTexts & {
    readonly code: string;
    readonly codeIntro: string;
    readonly codeAction: string;
    /** Without the token of a mail. */
    readonly noLink: string;
  };
  readonly confirmNotice: PageTexts & {
    /** Without the token of a mail. */
    readonly noLink: string;
  };
  readonly messages: Messages;
  /** Where it must say something else about an invitation. */
  readonly invitationMessages: Partial<Messages>;
  /** Where it must say something else about a notice. */
  readonly noticeMessages: Partial<Messages>;
}

interface PageTexts {
  readonly title: string;
  readonly intro: string;
  /** Button. */
  readonly action: string;
  readonly done: string;
}

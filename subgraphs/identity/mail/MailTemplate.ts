import type { MoneyMails } from './MoneyMails.ts';

/** A deprecated part of the API that a client uses, in the data of a mail. */
export interface DeprecatedUse {
  /** Schema coordinate or route. */
  readonly part: string;
  /** Executions in the last 30 days. */
  readonly count: number;
  /** Last day on which it is served, `YYYY-MM-DD`. */
  readonly until: string;
}

/**
 * Mails of the product, with the data of their texts. `token` is the single-use token of a link; `detail` is text that
 * a person wrote.
 */
export interface MailTemplates extends MoneyMails {
  /** Registration: asks the user to confirm the address. */
  verifyEmail: { displayName: string; token: string };
  /** A repeated registration, where the existence of accounts is confidential. */
  accountExists: { displayName: string };
  /** To the new address: asks the user to confirm it. */
  confirmNewEmail: { displayName: string; token: string };
  /** To the old address: a change was requested. */
  emailChangeRequested: { displayName: string; newEmail: string };
  /** To the old address, which is no longer the address of the account. */
  emailChanged: { displayName: string; newEmail: string };
  resetPassword: { displayName: string; token: string };
  passwordChanged: { displayName: string };
  /** A refresh token was used twice, so the session was ended. */
  sessionEndedByReuse: { displayName: string };
  /** An external issuer can now sign in to the account; `label` is its name. */
  identityLinked: { displayName: string; label: string };
  mfaFactorAdded: { displayName: string; label: string };
  mfaFactorRemoved: { displayName: string; label: string };
  recoveryCodeUsed: { displayName: string; left: string };
  accountSuspended: { displayName: string; detail: string };
  accountReinstated: { displayName: string };
  accountDeletionScheduled: { displayName: string; effectiveAt: string };
  accountDeletionCanceled: { displayName: string };
  dataExportReady: { displayName: string; expiresAt: string };
  dealerInvitation: { tradeName: string; invitedBy: string; role: string; token: string };
  dealerApproved: { tradeName: string };
  /** `reasons` are comma-separated codes; `final` is `true` or `false`. */
  dealerRejected: { tradeName: string; reasons: string; detail: string; final: string };
  /** The approval expired: 24 months have passed, or a document has expired. */
  dealerVerificationExpired: { tradeName: string };
  dealerSuspended: { tradeName: string; detail: string };
  dealerReinstated: { tradeName: string };
  listingApproved: { title: string };
  /** Statement of reasons. `kind` is `listing` or `revision`; `grounds` are comma-separated codes. */
  listingRejected: {
    title: string;
    kind: string;
    grounds: string;
    detail: string;
    decisionId: string;
    appealUntilAt: string;
  };
  /** To an address that may have no account. */
  confirmNotice: { token: string };
  noticeReceived: { reportId: string };
  /** `outcome` is `dismissed` or `action_taken`, here and in the next mail. */
  reportDecided: { reportId: string; outcome: string; detail: string };
  appealDecided: { reportId: string; outcome: string; detail: string };
  /** `titles` are those of the first listings; `firstAt` is when the first of them expires. */
  listingsExpire: { displayName: string; count: string; titles: string; firstAt: string };
  /**
   * New listings of a saved search: their number, the titles of the latest as a JSON list, the number of further ones,
   * and the URL of the latest.
   */
  savedSearchMatches: {
    displayName: string;
    name: string;
    count: string;
    newest: string;
    more: string;
    url: string;
  };
  /** A message is unread. `title` is the title of its subject. */
  messageReceived: { displayName: string; title: string; url: string };
  apiClientCreated: { tradeName: string; name: string; createdBy: string };
  /**
   * An API client uses parts of the API that will be removed. `parts` is a JSON list of `DeprecatedUse`, `more` the number of
   * further ones, and `url` that of the list of all deprecations.
   */
  deprecatedUse: { tradeName: string; name: string; parts: string; more: string; url: string };
}

/** Name of a mail. */
export type MailTemplate = keyof MailTemplates;

import type { DealerRejectionReason, ListingRejectionReason } from '../../identity.generated.ts';
import type { MailTemplate } from '../MailTemplate.ts';

/**
 * One mail in one language. Texts are ICU messages over the data of the template and `installation`, the site name.
 * Dates (`…At`) are dates, and numbers are numbers. `amount` is formatted money, and `role` is `owner`, `manager` or
 * `agent`.
 */
export interface MailText {
  readonly subject: string;
  /** Paragraphs before the link, if there is one. */
  readonly body: readonly string[];
  /** Text of the link; only if the template has a link. */
  readonly action?: string;
  /** Paragraphs after the link. */
  readonly note?: readonly string[];
}

/** All mails in one language. */
export interface MailTexts {
  /** Greeting with `displayName`. */
  readonly greeting: string;
  /** Greeting if the reader's name is unknown. */
  readonly plainGreeting: string;
  /** Text above the URL of a link, for mail programs that do not show links. */
  readonly copyLink: string;
  /** Last line. */
  readonly closing: string;
  /** A quoted title in this language, with `title`. */
  readonly quotedTitle: string;
  /** A deprecated part of the API, with `part`, `count` (of calls in 30 days) and `untilAt`. */
  readonly deprecatedPart: string;
  /** Reasons for rejecting a dealer, as items of a list. */
  readonly rejectionReasons: Readonly<Record<DealerRejectionReason, string>>;
  /** Reasons for rejecting a listing, as items of a list. */
  readonly rejectionGrounds: Readonly<Record<ListingRejectionReason, string>>;
  readonly mails: Readonly<Record<MailTemplate, MailText>>;
}

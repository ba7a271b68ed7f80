import type { DealerRejectionReason, ListingRejectionReason } from '../../identity.generated.ts';
import type { MailTemplate } from '../MailTemplate.ts';

/**
 * One mail in one language: ICU messages over the data of its template and `installation`, the name of the site. Dates
 * (`…At`) are dates, numbers are numbers, `amount` is money as the language writes it, `role` is one of `owner`, `manager`, `agent`.
 */
export interface MailText {
  readonly subject: string;
  /** Paragraphs, before the link if there is one. */
  readonly body: readonly string[];
  /** Text of the link; only if the template has a link. */
  readonly action?: string;
  /** Paragraphs after the link. */
  readonly note?: readonly string[];
}

/** Every mail in one language. */
export interface MailTexts {
  /** With `displayName`. */
  readonly greeting: string;
  /** Where the reader's name is not known. */
  readonly plainGreeting: string;
  /** Above the address of a link, for programs that show no links. */
  readonly copyLink: string;
  /** Last line. */
  readonly closing: string;
  /** A title as the language quotes it, with `title`. */
  readonly quotedTitle: string;
  /** Why a dealer is rejected, as parts of a list. */
  readonly rejectionReasons: Readonly<Record<DealerRejectionReason, string>>;
  /** Why a listing is rejected, as parts of a list. */
  readonly rejectionGrounds: Readonly<Record<ListingRejectionReason, string>>;
  readonly mails: Readonly<Record<MailTemplate, MailText>>;
}

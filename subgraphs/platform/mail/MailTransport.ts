/** A finished mail. */
export interface OutgoingMail {
  /** `mail_…`; a repetition carries the same one, so that a mailbox can tell it is one. */
  readonly id: string;
  /** Template name, as in `verifyEmail`. */
  readonly kind: string;
  /** Name of the sender; the address belongs to the transport. */
  readonly senderName: string;
  /** One mailbox, without a name. */
  readonly to: string;
  /** BCP 47 tag of the text. */
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Target of the link, if there is one; part of both texts. */
  readonly link: string | null;
}

/** Sends mails. */
export interface MailTransport {
  /** One line for the user who starts the process: the destination of mails. */
  readonly description: string;
  /**
   * Sends a mail; resolves once the receiving server is responsible for it.
   *
   * @throws MailFailure
   */
  send(mail: OutgoingMail): Promise<void>;
}

/** A mail was refused. The message is for the log and contains no address. */
export class MailFailure extends Error {
  /** Whether the very same mail would be refused again; otherwise a later try may succeed. */
  readonly isPermanent: boolean;

  constructor(message: string, isPermanent: boolean) {
    super(message);
    this.name = 'MailFailure';
    this.isPermanent = isPermanent;
  }
}

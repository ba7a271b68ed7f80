/** A finished mail. */
export interface OutgoingMail {
  /** `mail_…`; a repetition carries the same one, so that a mailbox can tell it is one. */
  readonly id: string;
  /** Name of what it says, as in `verifyEmail`. */
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
  /** Where the mail leads to, if anywhere; part of both texts. */
  readonly link: string | null;
}

/** Takes mails out of the product. */
export interface MailTransport {
  /** One line for the user who starts the process: where mails go. */
  readonly description: string;
  /**
   * Hands a mail over; resolves once the receiving server is responsible for it.
   *
   * @throws MailFailure
   */
  send(mail: OutgoingMail): Promise<void>;
}

/** A mail was not taken. The message is for the log and holds no address of its own. */
export class MailFailure extends Error {
  /** Whether the very same mail would be refused again; otherwise a later try may succeed. */
  readonly isPermanent: boolean;

  constructor(message: string, isPermanent: boolean) {
    super(message);
    this.name = 'MailFailure';
    this.isPermanent = isPermanent;
  }
}

import type { MailTransport, OutgoingMail } from '../../subgraphs/platform/mail/MailTransport.ts';

/** A mail transport that stores mails. */
export interface MailRecorder extends MailTransport {
  /** Mails in the order of sending. */
  readonly mails: readonly OutgoingMail[];
}

export function recordMails(): MailRecorder {
  const mails: OutgoingMail[] = [];
  return {
    description: 'mail: kept for the test',
    mails,
    send: async (mail) => void mails.push(mail),
  };
}

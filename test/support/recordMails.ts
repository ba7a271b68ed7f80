import type { MailTransport, OutgoingMail } from '../../subgraphs/platform/mail/MailTransport.ts';

/** A post office that keeps what it is given. */
export interface MailRecorder extends MailTransport {
  /** In the order in which they were sent. */
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

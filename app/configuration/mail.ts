import { readSmtpUrl } from '../../subgraphs/platform/mail/readSmtpUrl.ts';
import { type Environment, readAll, required, setting, text } from './Setting.ts';

/** Settings of outgoing mail. */
export const mailSettings = {
  smtp: setting('SMTP_URL', {
    meaning:
      'SMTP server that sends the emails. Unset: each email is a file in `DATA_DIR/mails`, and the demonstration prints its link. See [mails](../how-to/mails.md).',
    allowed: 'a URL, such as `smtps://user:password@host`',
    isSecret: true,
    parse: readSmtpUrl,
  }),
  mailFrom: text('MAIL_FROM', {
    shown: '`no-reply@localhost`',
    meaning: 'Sender of the emails; required with `SMTP_URL`.',
    allowed: 'an email address without a name, such as `no-reply@example.com`',
    accepts: (mailbox) => /^[\w.+-]+@[\w.-]+$/.test(mailbox),
  }),
};

export function readMail(environment: Environment) {
  const { smtp, mailFrom } = readAll(mailSettings, environment);
  return {
    smtp,
    mailFrom: smtp
      ? required(mailSettings.mailFrom, mailFrom, 'SMTP_URL')
      : (mailFrom ?? 'no-reply@localhost'),
  };
}

import { readSmtpUrl } from '../../subgraphs/platform/mail/readSmtpUrl.ts';
import { type Environment, readAll, required, setting, text } from './Setting.ts';

/** How mails leave. */
export const mailSettings = {
  smtp: setting('SMTP_URL', {
    meaning:
      'Server that takes the mails. Unset: each mail is a file in `DATA_DIR/mails`, and the demonstration prints its link. See [docs/mails.md](docs/mails.md).',
    allowed: 'an address, as in `smtps://user:password@host`',
    isSecret: true,
    parse: readSmtpUrl,
  }),
  mailFrom: text('MAIL_FROM', {
    shown: '`no-reply@localhost`',
    meaning: 'Mailbox that mails come from; required with `SMTP_URL`.',
    allowed: 'a mailbox without a name, as in `no-reply@example.com`',
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

import type { SendMailOptions } from 'nodemailer';
import { MailFailure, type OutgoingMail } from './MailTransport.ts';

/**
 * Matches characters that could end a header, an address or an SMTP command. No accepted mailbox contains any of them.
 */
const unsafe = /[\s\p{Cc}<>(),;:"\\[\]]/u;

/**
 * Returns the message of a mail (RFC 5322) for nodemailer: plain text with an HTML alternative, marked as automatic
 * (RFC 3834), so that it triggers no automatic reply. Names and subject are always a single line.
 *
 * @param from mailbox of the sender
 * @throws MailFailure for a recipient that is not a plain mailbox
 */
export function toMessage(mail: OutgoingMail, from: string): SendMailOptions {
  if (unsafe.test(mail.to)) throw new MailFailure('the recipient is not a plain mailbox', true);
  return {
    from: { name: oneLine(mail.senderName), address: from },
    to: { name: '', address: mail.to },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    textEncoding: 'quoted-printable',
    headers: {
      'Content-Language': mail.language,
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

import path from 'node:path';
import { createFileTransport } from '../../subgraphs/platform/mail/createFileTransport.ts';
import { createSmtpTransport } from '../../subgraphs/platform/mail/createSmtpTransport.ts';
import type { MailTransport } from '../../subgraphs/platform/mail/MailTransport.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';

/**
 * Sends mails by SMTP, or writes them to files. The demonstration also prints their links, which no other
 * installation may do.
 */
export function openMailTransport({ smtp, mailFrom, dataDir, demonstration }: Configuration): MailTransport {
  if (smtp) return createSmtpTransport(smtp, mailFrom);
  const print = (line: string): void => console.log(line);
  return createFileTransport(path.resolve(dataDir, 'mails'), {
    from: mailFrom,
    ...(demonstration ? { print } : {}),
  });
}

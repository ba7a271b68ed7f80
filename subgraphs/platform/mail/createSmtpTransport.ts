import { loadNodemailer } from './loadNodemailer.ts';
import { MailFailure, type MailTransport } from './MailTransport.ts';
import type { SmtpSettings } from './readSmtpUrl.ts';
import { toMessage } from './toMessage.ts';

/**
 * Returns a transport that sends mails to an SMTP server, each over a separate connection, so that a failing mail does
 * not delay others.
 */
export function createSmtpTransport(settings: SmtpSettings, from: string): MailTransport {
  const { host, port, secure, startTls, auth } = settings;
  const open = () =>
    loadNodemailer().createTransport({
      host,
      port,
      secure,
      requireTLS: startTls === 'required',
      ignoreTLS: startTls === 'never',
      ...(auth ? { auth } : {}),
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      dnsTimeout: 10_000,
    });
  let transport: ReturnType<typeof open> | undefined;
  return {
    description: `mail: SMTP server ${host}:${port}`,
    async send(mail) {
      const message = toMessage(mail, from);
      transport ??= open();
      await transport.sendMail(message).catch((error: unknown) => {
        throw toFailure(error);
      });
    },
  };
}

/** Nodemailer's description of a failure. */
interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/**
 * Classifies an SMTP error (RFC 5321, 4.2.1): 4yz is retried, and 5yz is permanent only if it concerns this recipient
 * or message. A server that refuses sender, sign-in or greeting is misconfigured, and the mails must be kept until this
 * is fixed.
 */
function toFailure(error: unknown): MailFailure {
  const { code = 'unknown', command, responseCode } = error as SmtpError;
  const isOfMail = command === 'RCPT TO' || command === 'DATA';
  const isRefused = responseCode !== undefined && responseCode >= 500 && responseCode !== 503;
  const parts = [code, command, responseCode].filter((part) => part !== undefined);
  return new MailFailure(parts.join(' '), isOfMail && isRefused);
}

/** Connection settings of the mail server. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise by STARTTLS. */
  readonly secure: boolean;
  /** Whether STARTTLS is required, used if offered, or never used. */
  readonly startTls: 'required' | 'optional' | 'never';
  readonly auth: { readonly user: string; readonly pass: string } | null;
}

const ports: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);
const form = 'smtps://user:password@host, or smtp://user:password@host:587?starttls=required';

/**
 * Parses `SMTP_URL`. `smtps:` uses TLS from the start (RFC 8314). `smtp:` uses STARTTLS (RFC 3207), which a remote
 * server must offer, unless `?starttls=optional` or `never` is stated. Certificates are always verified.
 *
 * @throws Error that states the valid form, without the password
 */
export function readSmtpUrl(text: string): SmtpSettings {
  const url = URL.canParse(text) ? new URL(text) : null;
  const port = url ? ports[url.protocol] : undefined;
  if (!url || port === undefined || url.hostname === '')
    throw new Error(`SMTP_URL must have the form ${form}.`);
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'starttls');
  const startTls = url.searchParams.get('starttls') ?? (loopback.has(url.hostname) ? 'optional' : 'required');
  if (unknown !== undefined || !isStartTls(startTls)) {
    throw new Error('SMTP_URL accepts only the option starttls, which must be required, optional or never.');
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? port : Number(url.port),
    secure: url.protocol === 'smtps:',
    startTls,
    auth:
      url.username === ''
        ? null
        : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
  };
}

function isStartTls(text: string): text is SmtpSettings['startTls'] {
  return text === 'required' || text === 'optional' || text === 'never';
}

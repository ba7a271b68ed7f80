import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

/** A received mail. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Received data, byte for byte. */
  readonly raw: string;
  readonly parsed: Email;
}

/** Refusal at a step: an SMTP reply, or no further reply. */
export type Refusals = Partial<
  Record<'mail' | 'recipient' | 'data', { readonly code: number; readonly text: string } | 'hang up'>
>;

/** A real SMTP server on the loopback. */
export interface SmtpServer {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  /** Current refusals. Initially none. */
  refuse(refusals: Refusals): void;
  close(): Promise<void>;
}

export async function openSmtpServer(options: SMTPServerOptions = {}): Promise<SmtpServer> {
  const received: ReceivedMail[] = [];
  let refusals: Refusals = {};
  /** Closes the connection, or replies. */
  const answer = (
    step: keyof Refusals,
    session: SMTPServerSession,
    yes: () => void,
    no: (error: Error) => void,
  ) => {
    const refusal = refusals[step];
    if (refusal === undefined) return yes();
    if (refusal === 'hang up') return connectionOf(server, session).destroy();
    no(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
  };
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    ...options,
    onMailFrom: (_address, session, done) => answer('mail', session, () => done(), done),
    onRcptTo: (_address, session, done) => answer('recipient', session, () => done(), done),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (refusals.data === 'hang up') connectionOf(server, session).destroy();
      });
      stream.on('end', () => {
        const keep = async (): Promise<void> => {
          const { mailFrom, rcptTo } = session.envelope;
          const raw = Buffer.concat(chunks).toString();
          received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            raw,
            parsed: await PostalMime.parse(raw),
          });
          done();
        };
        answer('data', session, () => void keep(), done);
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    refuse: (next) => void (refusals = next),
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

/** The socket of a session. */
function connectionOf(server: SMTPServer, session: SMTPServerSession): { destroy(): void } {
  const connections = (
    server as unknown as { connections: Set<{ session: { id: string }; _socket: { destroy(): void } }> }
  ).connections;
  for (const { session: own, _socket } of connections) if (own.id === session.id) return _socket;
  throw new Error('This session has no connection.');
}

import {
  openSmtpServer,
  type Refusals,
  type SmtpServer,
} from '../../../test/support/servers/openSmtpServer.ts';
import { createSmtpTransport } from './createSmtpTransport.ts';
import type { MailFailure, MailTransport, OutgoingMail } from './MailTransport.ts';
import { readSmtpUrl } from './readSmtpUrl.ts';

const opened: SmtpServer[] = [];
afterEach(() => Promise.all(opened.splice(0).map((server) => server.close())));

async function open(options?: Parameters<typeof openSmtpServer>[0]): Promise<SmtpServer> {
  const server = await openSmtpServer(options);
  opened.push(server);
  return server;
}

const at = ({ port }: SmtpServer) => `127.0.0.1:${port}`;
const transportTo = (authority: string, scheme = 'smtp'): MailTransport =>
  createSmtpTransport(readSmtpUrl(`${scheme}://${authority}`), 'no-reply@shop.example');

const mail: OutgoingMail = {
  id: 'mail_1',
  kind: 'verifyEmail',
  senderName: 'Zoës Läden, Inh. “Zoë”',
  to: 'reader@bücher.example',
  language: 'de',
  subject: 'Bestätigen Sie Ihre Adresse für Zoës Läden ✓',
  text: 'Guten Tag,\n\nhttp://shop.example/account/confirm-email#token=abc\n',
  html: '<p>Guten Tag, <a href="http://shop.example/account/confirm-email#token=abc">hier</a></p>',
  link: 'http://shop.example/account/confirm-email#token=abc',
};

async function failureOf(sending: Promise<void>): Promise<Pick<MailFailure, 'message' | 'isPermanent'>> {
  const error: unknown = await sending.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'MailFailure' });
  return error as MailFailure;
}

test('a mail is delivered unchanged with letters outside of ASCII, and is marked as automatic', async () => {
  const server = await open();
  await transportTo(at(server)).send(mail);
  const [{ from, to, parsed } = { from: '', to: [], parsed: null }] = server.received;
  expect([from, to]).toEqual(['no-reply@shop.example', ['reader@bücher.example']]);
  expect(parsed).toMatchObject({
    from: { name: mail.senderName, address: 'no-reply@shop.example' },
    to: [{ address: 'reader@xn--bcher-kva.example' }],
    subject: mail.subject,
    messageId: '<mail_1@shop.example>',
  });
  expect(parsed?.text?.trim()).toBe(mail.text.trim());
  expect(parsed?.html?.trim()).toBe(mail.html);
  expect(headersOf(parsed)).toMatchObject({ 'auto-submitted': 'auto-generated', 'content-language': 'de' });
});

test('line ends in a mail add no header, recipient or SMTP command', async () => {
  const server = await open();
  const transport = transportTo(at(server));
  await transport.send({
    ...mail,
    senderName: 'Shop\r\nBcc: victim@example.com\r\n',
    subject: 'Hello\r\nBcc: victim@example.com\r\n\r\nA body of my own\u2028x',
    text: '.\r\nRCPT TO:<victim@example.com>\r\n',
  });
  const [{ to, parsed } = { to: [], parsed: null }] = server.received;
  expect(to).toHaveLength(1);
  expect(headersOf(parsed)).not.toHaveProperty('bcc');
  expect(parsed?.subject).toBe('Hello Bcc: victim@example.com A body of my own x');
  expect(parsed?.text?.trim()).toBe('.\nRCPT TO:<victim@example.com>');
  for (const recipient of [
    'a@example.com\r\nBcc: victim@example.com',
    'a@example.com, victim@example.com',
    'a@example.com>\r\nRCPT TO:<victim@example.com',
    '"A" <victim@example.com>',
  ]) {
    expect(await failureOf(transport.send({ ...mail, to: recipient }))).toMatchObject({ isPermanent: true });
  }
  expect(server.received).toHaveLength(1);
});

const say = (code: number) => ({ code, text: 'No' });
test.each<[string, Refusals, { message: string; isPermanent: boolean }]>([
  ['an unknown recipient', { recipient: say(550) }, { message: 'EENVELOPE RCPT TO 550', isPermanent: true }],
  ['a full mailbox', { recipient: say(452) }, { message: 'EENVELOPE RCPT TO 452', isPermanent: false }],
  ['greylisting', { recipient: say(451) }, { message: 'EENVELOPE RCPT TO 451', isPermanent: false }],
  ['a rejected message', { data: say(554) }, { message: 'EMESSAGE DATA 554', isPermanent: true }],
  ['a busy server', { data: say(421) }, { message: 'EMESSAGE DATA 421', isPermanent: false }],
  ['a rejected sender', { mail: say(550) }, { message: 'EENVELOPE MAIL FROM 550', isPermanent: false }],
])('sending fails with %s, and succeeds after the cause is removed', async (_, refusals, failure) => {
  const server = await open();
  server.refuse(refusals);
  const transport = transportTo(at(server));
  expect(await failureOf(transport.send(mail))).toMatchObject(failure);
  server.refuse({});
  await transport.send(mail);
  expect(server.received).toHaveLength(1);
});

test.each<keyof Refusals>(['mail', 'recipient', 'data'])(
  'a connection that is closed at the step "%s" is a temporary failure',
  async (step) => {
    const server = await open();
    server.refuse({ [step]: 'hang up' });
    const failure = await failureOf(transportTo(at(server)).send(mail));
    expect(failure.isPermanent).toBe(false);
    expect(server.received).toEqual([]);
  },
);

test('an unreachable server and a refused sign-in are temporary failures', async () => {
  const gone = await openSmtpServer();
  await gone.close();
  expect(await failureOf(transportTo(at(gone)).send(mail))).toMatchObject({ isPermanent: false });
  const server = await open({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'shop' && password === 'p@ss/word' ? done(null, { user: 'shop' }) : done(new Error('No')),
  });
  const refused = failureOf(transportTo(`shop:wrong@${at(server)}`).send(mail));
  expect(await refused).toMatchObject({ isPermanent: false });
  await transportTo(`shop:p%40ss%2Fword@${at(server)}`).send(mail);
  expect(server.received).toHaveLength(1);
});

test('neither password nor mail is sent without the required TLS or to an untrusted certificate', async () => {
  const heard: string[] = [];
  const listen = (options: object) =>
    open({
      ...options,
      onAuth: ({ password }, _, done) => (heard.push(password ?? ''), done(null, { user: 'x' })),
    });
  const [plain, untrusted] = [await listen({}), await listen({ secure: true })];
  const required = transportTo(`u:secret@${at(plain)}?starttls=required`);
  for (const transport of [required, transportTo(`u:secret@${at(untrusted)}`, 'smtps')])
    expect(await failureOf(transport.send(mail))).toMatchObject({ isPermanent: false });
  expect([heard, plain.received, untrusted.received]).toEqual([[], [], []]);
});

function headersOf(parsed: { headers: { key: string; value: string }[] } | null): Record<string, string> {
  return Object.fromEntries((parsed?.headers ?? []).map(({ key, value }) => [key, value]));
}

import { concurrently } from '../../../test/support/concurrently.ts';
import { product } from '../../../test/support/product.ts';
import { recordMails } from '../../../test/support/recordMails.ts';
import { unique } from '../../../test/support/seed.ts';
import { openSmtpServer, type SmtpServer } from '../../../test/support/servers/openSmtpServer.ts';
import { createSmtpTransport } from '../../platform/mail/createSmtpTransport.ts';
import { MailFailure, type MailTransport, type OutgoingMail } from '../../platform/mail/MailTransport.ts';
import { readSmtpUrl } from '../../platform/mail/readSmtpUrl.ts';
import { MailModel, type MailRecord } from './model.ts';
import { queueMail } from './queueMail.ts';

const minuteMs = 60_000;
let server: SmtpServer;
let smtp: MailTransport;
/** Sends the next mails, by default to the server. */
let send: (mail: OutgoingMail) => Promise<void>;
const { market, neighbour, stack } = product({
  mail: { description: 'for the test', send: (one) => send(one) },
});

beforeAll(async () => {
  server = await openSmtpServer();
  smtp = createSmtpTransport(readSmtpUrl(`smtp://127.0.0.1:${server.port}`), 'no-reply@shop.example');
});
beforeEach(() => {
  send = smtp.send;
  server.refuse({});
});
afterAll(() => server.close());

async function queue(more: Partial<Parameters<typeof queueMail>[1]> = {}, at = market): Promise<string> {
  const context = { installationId: at.installation.id, platform: stack.platform };
  const data = { displayName: 'Zoë', token: 'secret-token' };
  const to = `${unique('reader')}@example.test`;
  await queueMail(context, { to, locale: 'de', template: 'resetPassword', data, ...more } as never);
  return to;
}

const run = () => stack.runJob('identity.mails');
async function stored(to: string): Promise<MailRecord> {
  const record = await market.records(MailModel).findOne({ to });
  if (!record) throw new Error('The mail does not exist.');
  return record;
}
const arrived = (to: string) => server.received.filter((mail) => mail.to.includes(to));

test("a queued mail is stored encrypted and sent once in the reader's language, and its data is deleted", async () => {
  const to = await queue();
  const { sealedData, ...queued } = await stored(to);
  for (const text of [JSON.stringify(queued), Buffer.from(sealedData ?? '', 'base64url').toString()])
    expect(text).not.toMatch(/Zoë|secret/);
  await run();
  await run();
  const [mail, ...more] = arrived(to);
  expect(more).toEqual([]);
  expect(mail?.parsed).toMatchObject({
    subject: `Neues Passwort für ${market.installation.name} festlegen`,
    from: { name: market.installation.name, address: 'no-reply@shop.example' },
  });
  expect(mail?.parsed.text).toContain(
    `${market.installation.baseUrl}/account/reset-password#token=secret-token`,
  );
  const sent = { state: 'sent', sealedData: null, attempts: 1, doneAt: expect.any(Date) };
  expect(await stored(to)).toMatchObject(sent);
});

test('a mail has the name and the links of its installation', async () => {
  const other = await neighbour();
  const to = await queue({}, other);
  await run();
  const { name, baseUrl } = other.installation;
  const text = expect.stringContaining(`${baseUrl}/account/`);
  expect(arrived(to)[0]?.parsed).toMatchObject({ from: { name }, text });
});

test('120 mails, which are more than one batch, are each sent once', async () => {
  const readers = await concurrently(120, () => queue());
  const recorder = recordMails();
  send = recorder.send;
  await run();
  expect(recorder.mails.map(({ to }) => to).sort()).toEqual(readers.sort());
});

test('concurrent runs send each mail once', async () => {
  const readers = await concurrently(20, () => queue());
  const recorder = recordMails();
  send = recorder.send;
  await Promise.all([run(), run(), run(), run()]);
  expect(recorder.mails.map(({ to }) => to).sort()).toEqual(readers.sort());
});

test('a mail whose process ended is sent again with the same id after 10 minutes', async () => {
  const to = await queue();
  const begun = Promise.withResolvers<OutgoingMail>();
  send = (mail) => {
    begun.resolve(mail);
    return new Promise(() => undefined);
  };
  void run();
  const { id } = await begun.promise;
  const recorder = recordMails();
  send = recorder.send;
  stack.advance(9 * minuteMs);
  await run();
  expect(recorder.mails).toEqual([]);
  stack.advance(2 * minuteMs);
  await run();
  expect(recorder.mails).toMatchObject([{ id, to }]);
});

test('a run whose mail was sent by a later run does not change its state', async () => {
  const to = await queue();
  const begun = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  send = () => {
    begun.resolve();
    return late.promise;
  };
  const first = run();
  await begun.promise;
  stack.advance(11 * minuteMs);
  send = recordMails().send;
  await run();
  late.reject(new MailFailure('too late', true));
  await first;
  expect(await stored(to)).toMatchObject({ state: 'sent', lastError: null });
});

test('a temporary failure is retried after 1, 5 and 30 minutes, 2 and 12 hours, and then fails', async () => {
  const to = await queue();
  server.refuse({ recipient: { code: 451, text: 'Greylisted' } });
  for (const [index, minutes] of [1, 5, 30, 120, 720].entries()) {
    await run();
    await run();
    expect(await stored(to)).toMatchObject({ state: 'queued', attempts: index + 1 });
    stack.advance(minutes * minuteMs - 1000);
    await run();
    expect((await stored(to)).attempts).toBe(index + 1);
    stack.advance(1000);
  }
  await run();
  const failed = { state: 'failed', attempts: 6, sealedData: null, lastError: 'EENVELOPE RCPT TO 451' };
  expect(await stored(to)).toMatchObject(failed);
  server.refuse({});
  stack.advance(24 * 60 * minuteMs);
  await run();
  expect(arrived(to)).toEqual([]);
});

test('a mail that was greylisted is sent after one minute', async () => {
  const to = await queue();
  server.refuse({ recipient: { code: 451, text: 'Greylisted' } });
  await run();
  server.refuse({});
  stack.advance(minuteMs);
  await run();
  expect(arrived(to)).toHaveLength(1);
});

test('a mail with a permanent failure fails immediately, and other mails are sent', async () => {
  const [to, other] = [await queue(), await queue()];
  send = async (mail) => {
    if (mail.to === to) throw new MailFailure('EENVELOPE RCPT TO 550', true);
  };
  await run();
  expect(await stored(to)).toMatchObject({ state: 'failed', attempts: 1, sealedData: null });
  expect(await stored(other)).toMatchObject({ state: 'sent' });
});

test('an unexpected error of the transport costs one attempt', async () => {
  const to = await queue();
  send = () => Promise.reject(new TypeError('a bug'));
  await run();
  expect(await stored(to)).toMatchObject({ state: 'queued', attempts: 1, lastError: 'TypeError' });
});

test('a mail whose link has expired is not sent', async () => {
  const to = await queue({ usefulUntil: new Date(stack.platform.now() + 30 * minuteMs) });
  stack.advance(31 * minuteMs);
  await run();
  expect(arrived(to)).toEqual([]);
  expect(await stored(to)).toMatchObject({ state: 'failed', sealedData: null });
});

test('queuing a mail signals the job that sends it', async () => {
  const signaled: string[] = [];
  const stop = stack.platform.signals.listen('identity.mails', () => signaled.push('mails'));
  await queue();
  stop();
  expect(signaled).toEqual(['mails']);
});

import { openSmtpServer, type SmtpServer } from '../../../test/support/openSmtpServer.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { recordMails } from '../../../test/support/recordMails.ts';
import { unique } from '../../../test/support/seed.ts';
import type { Installation } from '../../platform/installation/Installation.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { createSmtpTransport } from '../../platform/mail/createSmtpTransport.ts';
import { MailFailure, type MailTransport, type OutgoingMail } from '../../platform/mail/MailTransport.ts';
import { readSmtpUrl } from '../../platform/mail/readSmtpUrl.ts';
import { buildIdentity } from '../server.ts';
import { MailModel, type MailRecord } from './model.ts';
import { queueMail } from './queueMail.ts';

const minuteMs = 60_000;
let server: SmtpServer;
let smtp: MailTransport;
let stack: TestStack;
/** What the post office does with the next mails; by default they go to the server. */
let send: (mail: OutgoingMail) => Promise<void>;

beforeAll(async () => {
  server = await openSmtpServer();
  smtp = createSmtpTransport(readSmtpUrl(`smtp://127.0.0.1:${server.port}`), 'no-reply@shop.example');
  const mail: MailTransport = { description: 'for the test', send: (one) => send(one) };
  stack = await openTestStack({ subgraphs: [buildIdentity], mail });
});
beforeEach(() => {
  send = smtp.send;
  server.refuse({});
});
afterAll(async () => {
  await stack.close();
  await server.close();
});

async function queue(to = `${unique('reader')}@example.test`, installation: Installation = stack.demo) {
  const context = { installationId: installation.id, platform: stack.platform };
  const data = { displayName: 'Zoë', token: 'secret-token' };
  await queueMail(context, { to, locale: 'de', template: 'resetPassword', data });
  return to;
}

const run = () => stack.runJob('identity.mails');
async function stored(to: string, installation: Installation = stack.demo): Promise<MailRecord> {
  const record = await scoped(MailModel, installation.id).findOne({ to });
  if (!record) throw new Error('There is no such mail.');
  return record;
}
const arrived = (to: string) => server.received.filter((mail) => mail.to.includes(to));

test('a queued mail arrives once, in the reader’s language, and nothing of it is kept', async () => {
  const to = await queue();
  expect((await stored(to)).sealedData).not.toContain('secret-token');
  await run();
  await run();
  const [mail, ...more] = arrived(to);
  expect(more).toEqual([]);
  expect(mail?.parsed).toMatchObject({
    subject: 'Neues Passwort für demo setzen',
    from: { name: 'demo', address: 'no-reply@shop.example' },
  });
  expect(mail?.parsed.text).toContain('http://demo.localhost/account/reset-password#token=secret-token');
  expect(await stored(to)).toMatchObject({
    state: 'sent',
    sealedData: null,
    attempts: 1,
    doneAt: expect.any(Date),
  });
});

test('each installation sends in its own name, with links of its own', async () => {
  const to = await queue(undefined, stack.other);
  await run();
  expect(arrived(to)[0]?.parsed).toMatchObject({
    from: { name: 'other' },
    text: expect.stringContaining('http://other.localhost/account/'),
  });
});

test('more mails than one batch holds are all sent, each once', async () => {
  const readers = await Promise.all(Array.from({ length: 120 }, () => queue()));
  const recorder = recordMails();
  send = recorder.send;
  await run();
  expect(recorder.mails.map(({ to }) => to).sort()).toEqual(readers.sort());
});

test('runs at once send no mail twice', async () => {
  const readers = await Promise.all(Array.from({ length: 20 }, () => queue()));
  const recorder = recordMails();
  send = recorder.send;
  await Promise.all([run(), run(), run(), run()]);
  expect(recorder.mails.map(({ to }) => to).sort()).toEqual(readers.sort());
});

test('a mail whose sender vanished is left alone for ten minutes, and then sent under the same id', async () => {
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

test('whoever comes back after his mail was taken over changes nothing', async () => {
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

test('a failure that may pass is tried again after 1, 5 and 30 minutes, 2 and 12 hours, and then given up', async () => {
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
  expect(await stored(to)).toMatchObject({
    state: 'failed',
    attempts: 6,
    sealedData: null,
    lastError: 'EENVELOPE RCPT TO 451',
  });
  server.refuse({});
  stack.advance(24 * 60 * minuteMs);
  await run();
  expect(arrived(to)).toEqual([]);
});

test('greylisting costs a minute', async () => {
  const to = await queue();
  server.refuse({ recipient: { code: 451, text: 'Greylisted' } });
  await run();
  server.refuse({});
  stack.advance(minuteMs);
  await run();
  expect(arrived(to)).toHaveLength(1);
});

test('a mail that is refused for good is given up at once, and keeps no other one from its reader', async () => {
  const [to, other] = [await queue(), await queue()];
  send = async (mail) => {
    if (mail.to === to) throw new MailFailure('EENVELOPE RCPT TO 550', true);
  };
  await run();
  expect(await stored(to)).toMatchObject({ state: 'failed', attempts: 1, sealedData: null });
  expect(await stored(other)).toMatchObject({ state: 'sent' });
});

test('a transport that breaks unexpectedly costs a try, not the mail', async () => {
  const to = await queue();
  send = () => Promise.reject(new TypeError('a bug'));
  await run();
  expect(await stored(to)).toMatchObject({ state: 'queued', attempts: 1, lastError: 'TypeError' });
});

test('a mail whose link has expired is not sent any more', async () => {
  const to = `${unique('reader')}@example.test`;
  const usefulUntil = new Date(stack.platform.now() + 30 * minuteMs);
  const data = { displayName: 'Zoë', token: 'secret-token' };
  const context = { installationId: stack.demo.id, platform: stack.platform };
  await queueMail(context, { to, locale: 'en', template: 'resetPassword', data, usefulUntil });
  stack.advance(31 * minuteMs);
  await run();
  expect(arrived(to)).toEqual([]);
  expect(await stored(to)).toMatchObject({ state: 'failed', sealedData: null });
});

test('a mail wakes the job that sends it', async () => {
  const woken: string[] = [];
  const stop = stack.platform.wakeUps.listen('identity.mails', () => woken.push('mails'));
  await queue();
  stop();
  expect(woken).toEqual(['mails']);
});

test('a queued mail can be read by nobody who reads the database', async () => {
  const to = await queue();
  const { sealedData, ...record } = await stored(to);
  expect(JSON.stringify(record)).not.toMatch(/Zoë|secret/);
  expect(Buffer.from(sealedData ?? '', 'base64url').toString()).not.toMatch(/Zoë|secret/);
});

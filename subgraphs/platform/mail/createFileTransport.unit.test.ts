import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { tempFolders } from '../../../test/support/tempFolder.ts';
import { createFileTransport } from './createFileTransport.ts';
import type { OutgoingMail } from './MailTransport.ts';

const newFolder = tempFolders();
let folder: string;
beforeEach(async () => {
  folder = newFolder();
});

const mail: OutgoingMail = {
  id: 'mail_1',
  kind: 'resetPassword',
  senderName: 'Demo',
  to: 'reader@example.com',
  language: 'en',
  subject: 'Set a new password',
  text: 'Hello,\n\nhttp://demo.localhost/account/reset-password#token=abc\n',
  html: '<p>Hello</p>',
  link: 'http://demo.localhost/account/reset-password#token=abc',
};

test('each mail is one valid message file that only its owner can read', async () => {
  const transport = createFileTransport(path.join(folder, 'mails'), { from: 'no-reply@localhost' });
  await transport.send(mail);
  await transport.send(mail);
  expect(await readdir(path.join(folder, 'mails'))).toEqual(['mail_1-resetPassword.eml']);
  const file = path.join(folder, 'mails', 'mail_1-resetPassword.eml');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const parsed = await PostalMime.parse(await readFile(file));
  expect(parsed).toMatchObject({
    from: { name: 'Demo', address: 'no-reply@localhost' },
    to: [{ address: 'reader@example.com' }],
    subject: 'Set a new password',
  });
  expect(parsed.text?.trim()).toBe(mail.text.trim());
});

test('a file transport with `print` prints recipient, subject and link in one line', async () => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  await createFileTransport(folder, { from: 'no-reply@localhost', print }).send(mail);
  expect(lines).toEqual([`mail to reader@example.com: Set a new password ${mail.link}`]);
});

test('a file transport fails if its folder cannot be created', async () => {
  const transport = createFileTransport('/dev/null/mails', { from: 'no-reply@localhost' });
  await expect(transport.send(mail)).rejects.toThrow(/ENOTDIR|EEXIST/);
});

import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadNodemailer } from './loadNodemailer.ts';
import type { MailTransport } from './MailTransport.ts';
import { toMessage } from './toMessage.ts';

/**
 * Returns a transport that writes each mail as a file for mail programs, for processes without an SMTP server. The
 * names sort by time.
 *
 * @param folder created on first use; readable only by this user, because the links are credentials
 * @param print called with recipient, subject and link of each mail; only for demonstrations, because the link is a
 *   credential
 */
export function createFileTransport(
  folder: string,
  { from, print }: { from: string; print?: (line: string) => void },
): MailTransport {
  const createComposer = () =>
    loadNodemailer().createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  let composer: ReturnType<typeof createComposer> | undefined;
  return {
    description: `mail: SMTP_URL is not set, so emails are written to ${folder}`,
    async send(mail) {
      composer ??= createComposer();
      const { message } = await composer.sendMail(toMessage(mail, from));
      const file = path.join(folder, `${mail.id}-${mail.kind}.eml`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.part`, file);
      print?.(`mail to ${mail.to}: ${mail.subject}${mail.link === null ? '' : ` ${mail.link}`}`);
    },
  };
}

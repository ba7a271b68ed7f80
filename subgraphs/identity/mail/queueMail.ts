import type { ClientSession } from 'mongoose';
import type { Platform } from '../../platform/context/Platform.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { wakeJob } from '../../platform/jobs/wakeJob.ts';
import { seal } from '../../platform/secrets/seal.ts';
import type { MailTemplate, MailTemplates } from './MailTemplate.ts';
import { MailModel } from './model.ts';

/** To whom, in which language, what. */
export interface Mail<T extends MailTemplate> {
  to: string;
  /** BCP 47 tag of the reader. */
  locale: string;
  template: T;
  data: MailTemplates[T];
  /** When its link expires: a mail that could not be sent until then is given up. */
  usefulUntil?: Date;
}

/**
 * Puts a mail into the outbox: a job sends it, also after a crash. Give the `session` of the transaction that makes
 * the change the mail is about, so that neither is without the other.
 */
export async function queueMail<T extends MailTemplate>(
  {
    installationId,
    platform,
  }: { installationId: string; platform: Pick<Platform, 'secrets' | 'now' | 'wakeUps'> },
  { data, usefulUntil, ...mail }: Mail<T>,
  options: { session?: ClientSession } = {},
): Promise<void> {
  const _id = newId('mail');
  const at = new Date(platform.now());
  await scoped(MailModel, installationId).insert(
    {
      _id,
      ...mail,
      sealedData: seal(platform.secrets.derive('mail'), JSON.stringify(data), _id),
      state: 'queued',
      attempts: 0,
      dueAt: at,
      usefulUntil: usefulUntil ?? null,
      lastError: null,
      createdAt: at,
      doneAt: null,
    },
    options,
  );
  wakeJob(platform, 'identity.mails', options);
}

import type { ClientSession } from 'mongoose';
import type { Platform } from '../../platform/context/Platform.ts';
import { newId, repeatableId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { seal } from '../../platform/secrets/seal.ts';
import type { MailTemplate, MailTemplates } from './MailTemplate.ts';
import { MailModel, type MailRecord } from './model.ts';

/** Job that sends them. */
const sendingJob = 'identity.mails';

/** Recipient, language and content of a mail. */
export interface Mail<T extends MailTemplate> {
  to: string;
  /** BCP 47 tag of the reader. */
  locale: string;
  template: T;
  data: MailTemplates[T];
  /** When its link expires: a mail that could not be sent until then is given up. */
  usefulUntil?: Date;
}

type MailScope = { installationId: string; platform: Pick<Platform, 'secrets' | 'now' | 'signals'> };

/**
 * Puts a mail into the outbox: a job sends it, also after a crash. Give the `session` of the transaction that makes
 * the change the mail is about, so that neither is without the other.
 */
export async function queueMail<T extends MailTemplate>(
  place: MailScope,
  mail: Mail<T>,
  options: { session?: ClientSession } = {},
): Promise<void> {
  await scoped(MailModel, place.installationId).insert(toRecord(place, newId('mail'), mail), options);
  place.platform.signals.send(sendingJob, options);
}

/**
 * Queues mails for a consumer of events, which may get an event twice: mails with a known key are queued or sent
 * already. One command for all mails.
 */
export async function queueMailsOnce(
  place: MailScope,
  mails: readonly (Mail<MailTemplate> & { key: string })[],
): Promise<void> {
  if (mails.length === 0) return;
  const records = mails.map(({ key, ...mail }) =>
    toRecord(place, repeatableId('mail', place.installationId, key), mail),
  );
  await scoped(MailModel, place.installationId).insertAbsent(records);
  place.platform.signals.send(sendingJob);
}

function toRecord<T extends MailTemplate>(
  { platform }: MailScope,
  _id: string,
  { data, usefulUntil, ...mail }: Mail<T>,
): Omit<MailRecord, 'installationId'> {
  const at = new Date(platform.now());
  return {
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
  };
}

import type { ClientSession } from 'mongoose';
import type { Platform } from '../../platform/context/Platform.ts';
import { newId, repeatableId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { seal } from '../../platform/secrets/seal.ts';
import type { MailTemplate, MailTemplates } from './MailTemplate.ts';
import { MailModel, type MailRecord } from './model.ts';

/** Name of the job that sends mails. */
const sendingJob = 'identity.mails';

/** Recipient, language and content of a mail. */
export interface Mail<T extends MailTemplate> {
  to: string;
  /** BCP 47 tag of the reader. */
  locale: string;
  template: T;
  data: MailTemplates[T];
  /** When its link expires. A mail that was not sent until then is dropped. */
  usefulUntil?: Date;
}

type MailScope = { installationId: string; platform: Pick<Platform, 'secrets' | 'now' | 'signals'> };

/**
 * Puts a mail into the outbox. A job sends it, also after a crash. Pass the `session` of the transaction that makes the
 * related change, so that both are committed together.
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
 * Queues mails for a consumer of events, which may get an event twice. Mails with a known key are already queued or
 * sent. All mails are one command.
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

import pLimit from 'p-limit';
import type { Installation } from '../../platform/installation/Installation.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job, JobRun } from '../../platform/jobs/Job.ts';
import { MailFailure, type OutgoingMail } from '../../platform/mail/MailTransport.ts';
import { open } from '../../platform/secrets/seal.ts';
import { minuteMs } from '../../platform/time/durations.ts';
import type { MailTemplate, MailTemplates } from './MailTemplate.ts';
import { MailModel, type MailRecord } from './model.ts';
import { writeMail } from './writeMail.ts';

/** Delays after failed attempts. After the last one, the mail fails permanently. */
const pausesMs = [1, 5, 30, 120, 720].map((minutes) => minutes * minuteMs);
/**
 * Duration of a claim on a mail. It exceeds the timeout of any server, so a mail whose sender crashed is retried
 * afterwards.
 */
const takenMs = 10 * minuteMs;
const batchSize = 50;
const atOnce = 4;

/**
 * Sends queued mails. A conditional write claims each mail, so two processes never send the same one. If a process
 * crashes between sending and recording, the mail is sent again under the same Message-ID.
 */
export const sendMails: Job = {
  name: 'identity.mails',
  everyMs: 30_000,
  run: (run) => drainEach(run, batchSize, (installation) => sendBatch(run, installation)),
};

/** Sends a batch and returns the number of mails that were due. */
async function sendBatch(run: JobRun, installation: Installation): Promise<number> {
  const due = await scoped(MailModel, installation.id).find(
    { state: 'queued', dueAt: { $lte: new Date(run.platform.now()) } },
    { sort: { dueAt: 1 }, limit: batchSize },
  );
  await pLimit(atOnce).map(due, async (mail) => {
    if (!run.signal.aborted) await sendOne(run, installation, mail);
  });
  return due.length;
}

async function sendOne({ platform }: JobRun, installation: Installation, due: MailRecord): Promise<void> {
  const mails = scoped(MailModel, installation.id);
  const taken = await mails.findOneAndUpdate(
    { _id: due._id, state: 'queued', dueAt: due.dueAt, attempts: due.attempts },
    { $set: { dueAt: new Date(platform.now() + takenMs) }, $inc: { attempts: 1 } },
  );
  if (!taken) return;
  const failure = await trySend(platform, installation, taken);
  const { _id, template, attempts } = taken;
  if (failure) platform.log.warn({ mail: _id, template, attempts, reason: failure.message }, 'mail not sent');
  // If another process has claimed the mail meanwhile, that process decides.
  await mails.findOneAndUpdate(
    { _id, state: 'queued', attempts },
    { $set: outcome(taken, failure, platform.now()) },
  );
}

async function trySend(
  platform: JobRun['platform'],
  installation: Installation,
  mail: MailRecord,
): Promise<MailFailure | null> {
  try {
    if (mail.usefulUntil && mail.usefulUntil.getTime() <= platform.now())
      throw new MailFailure('its link has expired', true);
    await platform.mail.send(toOutgoing(platform, installation, mail));
    return null;
  } catch (error) {
    if (error instanceof MailFailure) return error;
    platform.log.error({ err: error, mail: mail._id }, 'unexpected error');
    return new MailFailure(error instanceof Error ? error.name : 'unknown', false);
  }
}

function toOutgoing(
  { secrets }: JobRun['platform'],
  installation: Installation,
  { _id, to, locale, template, sealedData }: MailRecord,
): OutgoingMail {
  const opened = sealedData === null ? null : open(secrets.derive('mail'), sealedData, _id);
  if (!opened) throw new MailFailure('its text cannot be decrypted with the current root secret', true);
  const data = JSON.parse(opened.toString()) as MailTemplates[MailTemplate];
  const written = writeMail({ template, data, locale, installation });
  return { id: _id, kind: template, senderName: installation.name, to, ...written };
}

/** Returns the changes of a mail after an attempt. A final state keeps none of its content. */
function outcome(
  { attempts, usefulUntil }: MailRecord,
  failure: MailFailure | null,
  nowMs: number,
): Partial<MailRecord> {
  const over = { sealedData: null, doneAt: new Date(nowMs), lastError: failure?.message ?? null };
  if (!failure) return { ...over, state: 'sent' };
  const pauseMs = pausesMs[attempts - 1];
  const next = pauseMs === undefined ? null : new Date(nowMs + pauseMs);
  const isLast = failure.isPermanent || !next || (usefulUntil !== null && usefulUntil <= next);
  return isLast ? { ...over, state: 'failed' } : { dueAt: next, lastError: failure.message };
}

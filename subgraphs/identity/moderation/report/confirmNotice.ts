import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { hashOpaqueToken } from '../../../platform/credentials/opaqueToken.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { NoticeModel, type NoticeRecord } from '../notice/model.ts';
import { findTarget, type Reportable } from './findTarget.ts';
import { storeReport, toOpenKey } from './storeReport.ts';

/**
 * Creates a report from the notice that a token confirms; of concurrent requests with one token, one succeeds. A second
 * notice about the same object from the same address adds nothing while the first is unresolved.
 *
 * @returns false if no notice has this token
 * @throws AppError `token_consumed`, or `not_found` if the token has expired
 */
export async function confirmNotice(token: string, context: RequestContext): Promise<boolean> {
  const notices = scoped(NoticeModel, context.installationId);
  const notice = await notices.findOne({ _id: hashOpaqueToken(token) });
  if (!notice) return false;
  if (notice.confirmedAt) throw consumed();
  if (notice.expiresAt && notice.expiresAt.getTime() <= context.platform.now()) throw notFound('This link');
  const found = await find(notice, context);
  try {
    await inTransaction((session) => receive(notice, found, context, session));
  } catch (error) {
    if (!isDuplicateKey(error, 'openKey')) throw error;
    await confirm(notice, context, { expiresAt: notice.expiresAt });
  }
  return true;
}

async function find({ target }: NoticeRecord, context: RequestContext): Promise<Reportable | null> {
  const { type, id } = target;
  return type === 'decision' || type === 'message' ? null : findTarget({ type, id }, context);
}

/** Stores the report. A notice about a missing object is accepted too, because staff can see what was meant. */
async function receive(
  notice: NoticeRecord,
  found: Reportable | null,
  context: RequestContext,
  session: ClientSession,
): Promise<void> {
  await confirm(notice, context, { expiresAt: null }, session);
  const { _id: noticeId, reason, text, url, email: to, locale, emailNormalized } = notice;
  const target = { type: notice.target.type, id: found?.id ?? notice.target.id };
  const reportId = newId('report');
  await storeReport(
    context,
    {
      _id: reportId,
      source: 'notice',
      target,
      listingId: found?.listingId ?? null,
      mediaIds: found?.mediaIds ?? [],
      ownerId: found?.ownerId ?? null,
      reason,
      text,
      url,
      reporterId: null,
      noticeId,
      openKey: toOpenKey(emailNormalized, target),
      evidence: found?.evidence ?? null,
    },
    session,
  );
  await queueMail(context, { to, locale, template: 'noticeReceived', data: { reportId } }, { session });
}

async function confirm(
  { _id }: NoticeRecord,
  { installationId, platform }: RequestContext,
  { expiresAt }: Pick<NoticeRecord, 'expiresAt'>,
  session?: ClientSession,
): Promise<void> {
  const confirmed = await scoped(NoticeModel, installationId).findOneAndUpdate(
    { _id, confirmedAt: null },
    { $set: { confirmedAt: new Date(platform.now()), expiresAt } },
    { session },
  );
  if (!confirmed) throw consumed();
}

function consumed(): AppError {
  return new AppError('token_consumed', 'This link was already used.');
}

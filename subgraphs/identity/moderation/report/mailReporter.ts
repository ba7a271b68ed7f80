import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { UserModel } from '../../people/user/model.ts';
import { NoticeModel } from '../notice/model.ts';
import type { ReportRecord } from './model.ts';

/** Mails the outcome to the reporter, if still reachable (Digital Services Act, articles 16 and 20). */
export async function mailReporter(
  context: RequestContext,
  report: ReportRecord,
  session: ClientSession,
): Promise<void> {
  const { resolution } = report;
  const reader = await findReader(context, report, session);
  if (!reader || !resolution) return;
  const template = report.target.type === 'decision' ? 'appealDecided' : 'reportDecided';
  const data = { reportId: report._id, outcome: resolution.outcome, detail: resolution.answer ?? '' };
  await queueMail(context, { ...reader, template, data }, { session });
}

async function findReader(
  { installationId }: RequestContext,
  { reporterId, noticeId }: ReportRecord,
  session: ClientSession,
): Promise<{ to: string; locale: string } | null> {
  if (noticeId !== null) {
    const notice = await scoped(NoticeModel, installationId).findOne({ _id: noticeId }, { session });
    return notice && { to: notice.email, locale: notice.locale };
  }
  if (reporterId === null) return null;
  const users = reads(UserModel, installationId);
  const user = await users.findOne({ _id: reporterId, state: { $ne: 'deleted' } }, { session });
  return user && { to: user.email, locale: user.locale };
}

import type { ClientSession } from 'mongoose';
import type { EventType } from '../../../../schema/events.ts';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { announceDeparture } from '../../kernel/announcement/announceDeparture.ts';
import { slugTaken } from './createPage.ts';
import { PageModel, type PageRecord } from './model.ts';

/** Which page, in which version if that matters. */
interface Target {
  pageId: string;
  expectedVersion?: number | null | undefined;
}

/** Decision about a page. */
interface Change {
  /** Refuses what the caller has stated of it. */
  check?(page: PageRecord): void;
  /** Members to change; null where nothing changes. Refuses what its state does not allow. */
  plan(page: PageRecord): Partial<PageRecord> | null;
}

/**
 * The one way in which a page that is there changes: on the version that was read, with its line in the audit.
 *
 * @param action name of the root field
 * @throws AppError `not_found`, what `check` throws, `precondition_failed`, what `plan` throws, `slug_taken`
 */
export function changePage(
  target: Target,
  action: string,
  context: RequestContext,
  { check, plan }: Change,
): Promise<PageRecord> {
  const pages = scoped(PageModel, context.installationId);
  return inTransaction(async (session) => {
    const before = await readPage(target, context, session);
    check?.(before);
    assertVersion(before.version, target.expectedVersion);
    const members = plan(before);
    if (!members) return before;
    await recordChange(context, action, before, session);
    const page = await pages.findOneAndUpdate(
      { _id: before._id },
      {
        $set: { ...members, updatedAt: new Date(context.platform.now()) },
        $inc: { version: 1 },
        $push: announce(context, toEventType(before, members)),
      },
      { session },
    );
    if (!page) throw notFound('The page');
    return page;
  }).catch((error: unknown) => {
    throw isDuplicateKey(error, 'slugs') ? slugTaken() : error;
  });
}

/** Content for other subgraphs. */
function toEventType({ status }: PageRecord, after: Partial<PageRecord>): EventType {
  if (after.status === undefined || after.status === status) return 'object.updated';
  return after.status === 'published' ? 'object.published' : 'object.unpublished';
}

/** Takes a page away for good; its slugs are free again. */
export function removePage(target: Target, action: string, context: RequestContext): Promise<PageRecord> {
  return inTransaction(async (session) => {
    const page = await readPage(target, context, session);
    assertVersion(page.version, target.expectedVersion);
    await recordChange(context, action, page, session);
    await scoped(PageModel, context.installationId).deleteMany({ _id: page._id }, { session });
    await announceDeparture(context, { type: 'page', id: page._id, version: page.version }, session);
    return page;
  });
}

async function readPage(
  { pageId }: Target,
  { installationId }: RequestContext,
  session: ClientSession,
): Promise<PageRecord> {
  const page = await scoped(PageModel, installationId).findOne({ _id: pageId }, { session });
  if (!page) throw notFound('The page');
  return page;
}

function recordChange(
  context: RequestContext,
  action: string,
  { _id: id }: PageRecord,
  session: ClientSession,
): Promise<void> {
  return recordAudit(context, { action, target: { type: 'page', id } }, { session });
}

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

/** A page, with its version if that matters. */
interface Target {
  pageId: string;
  expectedVersion?: number | null | undefined;
}

/** A change of a page. */
interface Change {
  /** Throws if a precondition of the caller does not hold. */
  check?(page: PageRecord): void;
  /** Returns the members to change; null if nothing changes. Throws if the state does not allow it. */
  plan(page: PageRecord): Partial<PageRecord> | null;
}

/**
 * Changes an existing page, on the version that was read, with its audit entry. All changes of pages use this function.
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

/** Returns the type of the event that publishes the content to other subgraphs. */
function toEventType({ status }: PageRecord, after: Partial<PageRecord>): EventType {
  if (after.status === undefined || after.status === status) return 'object.updated';
  return after.status === 'published' ? 'object.published' : 'object.unpublished';
}

/** Deletes a page permanently. Its slugs are available again. */
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

import { Readable } from 'node:stream';
import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidField, notFound } from '../../../platform/errors/AppError.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import { once } from '../../../platform/idempotency/once.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { readUploadToken } from '../../../platform/storage/uploadToken.ts';
import type { StartListingImportInput } from '../../identity.generated.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { assertMayPost } from '../listing/lifecycle/assertMayPost.ts';
import { progressOf } from './describeImports.ts';
import { feedFormats } from './feed/readFeed.ts';
import { FeedUploadModel, type FeedUploadRecord, type ImportRecord, ListingImportModel } from './model.ts';
import { feedKey, maxFeedBytes, storeUpload } from './openFeedUpload.ts';
import { scanFeed } from './scanFeed.ts';

/** Name of the job that processes feeds. */
export const listingImportsJob = 'identity.listing-imports';

export async function startListingImport(
  input: StartListingImportInput,
  context: RequestContext,
): Promise<{ listingImport: ImportRecord }> {
  const { dealerId, idempotencyKey } = input;
  const dealer = await context.loader(dealerLoader).load(dealerId);
  if (!dealer) throw notFound('The dealer');
  assertMayPost(context, dealer);
  const upload = await takeUpload(input, context);
  const key = feedKey(context.installationId, upload._id);
  // The bytes of an imported feed may already be deleted, but the same key must return the same response.
  const facts = upload.facts ?? (await scan(upload, key, context));
  if (!facts) throw unknownUpload('No feed was uploaded with this token.');
  const order = {
    dealerId,
    format: upload.format,
    mode: input.mode ?? 'upsert',
    dryRun: input.dryRun ?? false,
  };
  // A retry has the same feed and may have another token.
  const fingerprint = { ...order, sha256: facts.sha256, idempotencyKey };
  const started = await once(context, 'startListingImport', fingerprint, async (attempt) => {
    const _id = attempt.newId('listingImport');
    const earlier = await scoped(ListingImportModel, context.installationId).findOne({ _id });
    // An earlier run under the same key may have crashed after it stored the import.
    if (earlier) return { listingImport: earlier };
    return {
      listingImport: await enqueue(context, { ...upload, facts }, { _id, ...order, totalRows: facts.rows }),
    };
  });
  // A retry uploaded the same bytes again.
  if (context.answer.idempotentReplayed) await discard(upload, context);
  return started;
}

async function scan(upload: FeedUploadRecord, key: string, context: RequestContext) {
  try {
    return await scanFeed(context.platform.storage, key, upload.format);
  } catch (error) {
    if (error instanceof AppError) await discard(upload, context);
    throw error;
  }
}

/** Deletes the upload of a refused feed immediately. */
async function discard(
  { _id }: FeedUploadRecord,
  { installationId, platform }: RequestContext,
): Promise<void> {
  const gone = await scoped(FeedUploadModel, installationId).deleteMany({ _id, importId: null });
  if (gone > 0) await platform.storage.delete(feedKey(installationId, _id));
}

/** Returns the feed that the input names or contains. */
async function takeUpload(
  { dealerId, uploadToken, content, format }: StartListingImportInput,
  context: RequestContext,
): Promise<FeedUploadRecord> {
  if (typeof content === 'string' && !uploadToken)
    return storeContent({ dealerId, content, format }, context);
  if (!uploadToken || typeof content === 'string')
    throw unknownUpload('Send either the token of an uploaded feed or the feed itself, not both.');
  const { platform, installationId } = context;
  const grant = readUploadToken(platform.secrets.derive('upload'), uploadToken);
  const uploadId = grant?.key.split('/').at(-1);
  const upload = uploadId
    ? await scoped(FeedUploadModel, installationId).findOne({ _id: uploadId, dealerId })
    : null;
  if (!upload || grant?.key !== feedKey(installationId, upload._id))
    throw unknownUpload('The upload token is invalid or has expired.');
  return upload;
}

async function storeContent(
  {
    dealerId,
    content,
    format,
  }: { dealerId: string; content: string; format: StartListingImportInput['format'] },
  context: RequestContext,
): Promise<FeedUploadRecord> {
  if (!format) {
    const detail = 'Send the format of the content.';
    throw invalidField('#/format', detail);
  }
  const bytes = Buffer.from(content);
  if (bytes.length > maxFeedBytes)
    throw new AppError('payload_too_large', `A feed must have at most ${maxFeedBytes} bytes.`);
  const upload = await storeUpload(context, dealerId, format);
  const contentType = Object.keys(feedFormats).find((type) => feedFormats[type] === upload.format) ?? '';
  await context.platform.storage.put(feedKey(context.installationId, upload._id), Readable.from([bytes]), {
    contentType,
  });
  return upload;
}

type Order = Pick<ImportRecord, '_id' | 'dealerId' | 'format' | 'mode' | 'dryRun' | 'totalRows'>;

async function enqueue(
  context: RequestContext,
  upload: FeedUploadRecord,
  order: Order,
): Promise<ImportRecord> {
  const { installationId, platform } = context;
  try {
    return await inTransaction((session) => insert(context, upload, order, session));
  } catch (error) {
    if (!isDuplicateKey(error, 'openFor')) throw error;
    await discard(upload, context);
    const open = await scoped(ListingImportModel, installationId).findOne({ openFor: order.dealerId });
    throw new AppError(
      'import_in_progress',
      'The dealer’s previous import is still running. Retry when it has finished.',
      {
        ...(open ? { listingImportId: open._id } : {}),
        retryAfter: 5,
      },
    );
  } finally {
    platform.signals.send(listingImportsJob);
  }
}

/** Stores the import. A feed is imported once: of two imports of one upload, the later one fails. */
async function insert(
  { installationId, platform, viewer }: RequestContext,
  upload: FeedUploadRecord,
  order: Order,
  session: ClientSession,
): Promise<ImportRecord> {
  const taken = await scoped(FeedUploadModel, installationId).findOneAndUpdate(
    { _id: upload._id, importId: null },
    { $set: { importId: order._id, facts: upload.facts } },
    { session },
  );
  if (!taken)
    throw unknownUpload('This uploaded feed was already imported. Upload it again to import it again.');
  const begin = {
    state: 'queued' as const,
    counts: { rows: 0, created: 0, updated: 0, unchanged: 0, archived: 0, failed: 0 },
  };
  const data = progressOf({ ...order, ...begin });
  return scoped(ListingImportModel, installationId).insert(
    {
      ...order,
      ...begin,
      openFor: order.dealerId,
      startedBy: viewer.id,
      uploadId: upload._id,
      failure: null,
      attempts: 0,
      fence: 0,
      version: 1,
      ...firstOutbox({ platform }, 'listing_import.changed', { data }),
      createdAt: new Date(platform.now()),
      startedAt: null,
      finishedAt: null,
      removeAt: null,
    },
    { session },
  );
}

function unknownUpload(detail: string): AppError {
  return invalidField('#/uploadToken', detail);
}

import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidField, invalidFields, problem } from '../../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { begunUploads } from '../../../platform/rate/begunUploads.ts';
import type { CreateMediaInput } from '../../identity.generated.ts';
import { assertMayChange } from '../../kernel/dealer-standing/assertMayChange.ts';
import { checkAltText } from '../checkTexts.ts';
import { toFileName } from '../fileName.ts';
import { kindsOf, mediaTypes, uploadLifeMs } from '../limits.ts';
import { mediaHooks } from '../mediaHooks.ts';
import { mediaLimits } from '../mediaLimits.ts';
import { MediaModel, type MediaRecord, newMedia } from '../model.ts';
import { begin, findTwin, refuseBlocked, tooLarge } from './acceptBytes.ts';
import { chargeBytes } from './chargeBytes.ts';

const sha256Pattern = /^[0-9a-f]{64}$/;

/** Declares a file. If the owner already has its bytes, no upload is needed. */
export async function createMedia(
  input: CreateMediaInput,
  context: RequestContext,
): Promise<{ media: MediaRecord }> {
  const owner = await findOwner(input, context);
  const media = await store(read(input, owner), context.attempt.newId('media'), context);
  context.loader(begunUploads).add(media._id);
  return { media };
}

/** Declaration of a file by a client. */
type Declaration = Pick<
  MediaRecord,
  'owner' | 'kind' | 'purpose' | 'filename' | 'contentType' | 'altText'
> & { byteSize: number | null; sha256: string | null };

/** Returns the named dealer, the dealer of an API client, or the caller. */
async function findOwner(
  { dealerId, purpose }: CreateMediaInput,
  context: RequestContext,
): Promise<MediaRecord['owner']> {
  const { viewer } = context;
  const id = dealerId ?? viewer.token.dealerId;
  if (!id) return { type: 'user', id: viewer.id };
  const dealer = await mediaHooks.bound.loadDealer(context, id);
  if (!dealer) throw invalidField('#/dealerId', 'This dealer does not exist.');
  const role = purpose === 'verification' ? 'OWNER' : 'AGENT';
  if (!viewer.hasDealerRole(id, role))
    throw new AppError(
      'dealer_role_required',
      `This needs at least the role "${role.toLowerCase()}" in the dealer.`,
    );
  assertMayChange(dealer);
  return { type: 'dealer', id };
}

/**
 * Returns the validated declaration.
 *
 * @throws AppError `unsupported_media_type`, `file_too_large`, `validation_failed`
 */
function read(input: CreateMediaInput, owner: MediaRecord['owner']): Declaration {
  const purpose = input.purpose;
  const contentType = input.contentType.trim().toLowerCase();
  const kind = Object.hasOwn(mediaTypes, contentType) ? mediaTypes[contentType] : undefined;
  const filename = toFileName(input.filename);
  const { byteSize = null, sha256 = null } = input;
  const altText = input.altText?.trim() || null;
  const problems: FieldProblem[] = [
    ...(filename === '' ? [problem('#/filename', 'A file name must not be empty.')] : []),
    ...(byteSize !== null && byteSize < 1
      ? [problem('#/byteSize', 'A file must have at least 1 byte.')]
      : []),
    ...(sha256 !== null && !sha256Pattern.test(sha256)
      ? [problem('#/sha256', 'A SHA-256 must have 64 lower-case hexadecimal digits.')]
      : []),
    ...checkAltText(altText),
    ...checkOwner(purpose, owner),
  ];
  if (problems.length > 0) throw invalidFields(problems);
  if (!kind || !kindsOf[purpose].includes(kind)) throw unsupported(purpose);
  if (byteSize !== null && byteSize > mediaLimits.byteSize[kind]) throw tooLarge(mediaLimits.byteSize[kind]);
  return { owner, kind, purpose, filename, contentType, altText, byteSize, sha256 };
}

/** Returns the errors in the owner: an avatar belongs to a user; a logo and documents belong to a dealer. */
function checkOwner(purpose: MediaRecord['purpose'], { type }: MediaRecord['owner']): FieldProblem[] {
  if (purpose === 'avatar' && type === 'dealer')
    return [problem('#/purpose', 'An avatar belongs to a user. Omit "dealerId".')];
  if ((purpose === 'logo' || purpose === 'verification') && type === 'user')
    return [problem('#/dealerId', 'A file for this purpose belongs to a dealer. Send "dealerId".')];
  return [];
}

function unsupported(purpose: MediaRecord['purpose']): AppError {
  const types = Object.entries(mediaTypes).flatMap(([type, kind]) =>
    kindsOf[purpose].includes(kind) ? [type] : [],
  );
  return new AppError(
    'unsupported_media_type',
    `A file for this purpose must have one of these types: ${types.join(', ')}.`,
  );
}

async function store(declared: Declaration, _id: string, context: RequestContext): Promise<MediaRecord> {
  const { installationId, platform } = context;
  const { sha256, byteSize, contentType, ...described } = declared;
  const media = scoped(MediaModel, installationId);
  const earlier = await media.findOne({ _id });
  if (earlier) return earlier;
  const twin = sha256 && (await findTwin(context, declared.owner.id, sha256));
  if (twin && (byteSize ?? twin.byteSize) === twin.byteSize) return share(declared, _id, twin, context);
  await chargeBytes(context, byteSize ?? 0);
  const at = platform.now();
  const record = newMedia({
    _id,
    ...described,
    contentType,
    state: 'awaiting_upload',
    byteSize: byteSize ?? 0,
    upload: { byteSize, sha256, contentType, expiresAt: new Date(at + uploadLifeMs) },
    createdAt: new Date(at),
  });
  return media.insert(record).catch((error: unknown) => refind(error, _id, context));
}

/** Creates a file that shares the bytes of another file of its owner. It is processed immediately. */
async function share(
  declared: Declaration,
  _id: string,
  { original, byteSize, contentType }: MediaRecord,
  context: RequestContext,
): Promise<MediaRecord> {
  const { installationId, platform } = context;
  const record = newMedia({
    _id,
    ...declared,
    contentType,
    state: 'awaiting_upload',
    byteSize,
    createdAt: new Date(platform.now()),
  });
  const shared = await inTransaction(async (session) => {
    const inserted = await scoped(MediaModel, installationId).insert(record, { session });
    const file = { byteSize, sha256: declared.sha256 ?? '', original: original ?? '' };
    return begin(context, inserted, file, session);
  }).catch((error: unknown) => refind(error, _id, context));
  if (!shared) throw new Error(`The file ${_id} was created but does not exist.`);
  return refuseBlocked(context, shared);
}

/** Returns the file of an earlier run under the same key, which may have crashed after it stored the file. */
async function refind(error: unknown, _id: string, { installationId }: RequestContext): Promise<MediaRecord> {
  const earlier = isDuplicateKey(error) ? await scoped(MediaModel, installationId).findOne({ _id }) : null;
  if (earlier) return earlier;
  throw error;
}

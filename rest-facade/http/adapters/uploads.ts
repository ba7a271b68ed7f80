import { readUploadToken, type UploadGrant } from '../../../subgraphs/platform/storage/uploadToken.ts';
import type { RouteHandler } from '../compileRoute.ts';
import { type Exchange, send } from '../Exchange.ts';
import type { FileSource } from '../FileSource.ts';
import type { Gateway } from '../Gateway.ts';
import { assertMediaType } from '../mediaTypes.ts';
import { Refusal } from '../Refusal.ts';
import { assertPresent, watchBody } from '../request/watchBody.ts';
import { checkBytes, tooLarge } from '../uploads/checkBytes.ts';

/**
 * Serves `/api/v1/uploads/{uploadToken}`: accepts only the bytes that an upload link declares. The link authorizes the
 * request; `Authorization` is ignored. It can be reused until it expires, and the last complete file counts.
 */
export function createUploadReceiver<Context>(
  gateway: Gateway<Context>,
  source: FileSource,
): RouteHandler<Context> {
  return async (exchange, [token = '']) => {
    const { request, response, requestId } = exchange;
    const context = await gateway.openContext(request, { ignoreAuthorization: true, requestId, response });
    exchange.context = context;
    const grant = readUploadToken(source.uploadSecret, token);
    if (!grant || grant.installationId !== gateway.installationIdOf(context))
      throw new Refusal('not_found', 'This upload link does not exist.');
    const leftMs = grant.expiresAt.getTime() - source.now();
    if (leftMs <= 0) throw expired();
    assertHeaders(exchange, grant);
    const { byteSize, sha256 } = await receive(exchange, grant, source, leftMs);
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
    send(exchange, 200, headers, JSON.stringify({ byteSize, sha256 }));
  };
}

/** Checks the headers before the first byte is read. */
function assertHeaders({ request }: Exchange, { contentType, byteSize, mostBytes }: UploadGrant): void {
  assertMediaType(request, new Set([contentType]));
  if (request.headers['content-encoding'] !== undefined)
    throw new Refusal('unsupported_media_type', 'A file must be sent without Content-Encoding.');
  const length = request.headers['content-length'];
  if (length === undefined) return;
  if (Number(length) > mostBytes) throw tooLarge(mostBytes);
  if (byteSize !== null && Number(length) !== byteSize)
    throw new Refusal('checksum_mismatch', `${byteSize} bytes were declared, but the request has ${length}.`);
}

/** Receives the bytes; a running upload also ends when the link expires. */
async function receive(
  { request }: Exchange,
  grant: UploadGrant,
  { storage }: FileSource,
  leftMs: number,
): Promise<{ byteSize: number; sha256: string }> {
  assertPresent(request);
  const checked = checkBytes(grant);
  const stop = watchBody(request, grant.mostBytes, (error) => checked.destroy(error));
  const timer = setTimeout(() => checked.destroy(expired()), leftMs);
  try {
    return await storage.put(grant.key, request.pipe(checked), { contentType: grant.contentType });
  } finally {
    clearTimeout(timer);
    stop();
  }
}

function expired(): Refusal {
  return new Refusal('upload_expired', 'This upload link has expired. Create the file again.');
}

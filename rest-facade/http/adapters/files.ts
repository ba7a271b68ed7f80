import { pipeline } from 'node:stream/promises';
import type { OpenedFile, Storage } from '../../../subgraphs/platform/storage/Storage.ts';
import type { RouteHandler } from '../compileRoute.ts';
import { type Exchange, type Headers, send } from '../Exchange.ts';
import type { FileSource } from '../FileSource.ts';
import type { Gateway } from '../Gateway.ts';
import { ClientGone, Refusal } from '../Refusal.ts';
import { type Delivery, findDelivery } from './findDelivery.ts';
import { isKnown, readRange } from './readConditions.ts';

/**
 * Serves `/api/v1/files/{fileToken}`: a public file by its digest, or the file of a signed link. The name authorizes
 * the request: `Authorization` is ignored, and every error in a name is the same 404.
 */
export function createFileDelivery<Context>(
  gateway: Gateway<Context>,
  source: FileSource,
): RouteHandler<Context> {
  return async (exchange, [token = '']) => {
    const { request, response, requestId } = exchange;
    const context = await gateway.openContext(request, { ignoreAuthorization: true, requestId, response });
    exchange.context = context;
    const delivery = await findDelivery(source, token, gateway.installationIdOf(context));
    if (!delivery) throw unknownFile();
    if (isKnown(request.headers, delivery.etag)) return sendNotModified(exchange, source.storage, delivery);
    return sendFile(exchange, source.storage, delivery);
  };
}

/** Sends a 304. A deleted file is not confirmed by it, even if the client has the file. */
async function sendNotModified(exchange: Exchange, storage: Storage, delivery: Delivery): Promise<void> {
  if (!(await storage.exists(delivery.key))) throw unknownFile();
  send(exchange, 304, { ...delivery.headers });
}

async function sendFile(exchange: Exchange, storage: Storage, delivery: Delivery): Promise<void> {
  const file = await storage.open(delivery.key);
  if (!file) throw unknownFile();
  const range = readRange(exchange.request, file.byteSize, delivery.etag);
  if (range === null) {
    return deliver(exchange, 200, { ...delivery.headers, 'Content-Length': file.byteSize }, file);
  }
  file.stream.destroy();
  if (range === 'behind') throw behindTheEnd(file);
  const part = await storage.open(delivery.key, range);
  if (!part) throw unknownFile();
  const headers = {
    ...delivery.headers,
    'Content-Length': range.end - range.start + 1,
    'Content-Range': `bytes ${range.start}-${range.end}/${file.byteSize}`,
  };
  return deliver(exchange, 206, headers, part);
}

function unknownFile(): Refusal {
  return new Refusal('not_found', 'This file does not exist, or its link has expired.');
}

function behindTheEnd({ byteSize }: OpenedFile): Refusal {
  return new Refusal(
    'range_not_satisfiable',
    `The requested range is outside of the file, which has ${byteSize} bytes.`,
    {},
    { 'Content-Range': `bytes */${byteSize}` },
  );
}

/** Sends headers, and the bytes unless the request is a HEAD. */
async function deliver(
  { request, response, requestId }: Exchange,
  status: number,
  headers: Headers,
  { stream }: OpenedFile,
): Promise<void> {
  response.writeHead(status, { ...headers, 'X-Request-Id': requestId });
  if (request.method === 'HEAD') {
    stream.destroy();
    response.end();
    return;
  }
  try {
    await pipeline(stream, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') throw new ClientGone();
    throw error;
  }
}

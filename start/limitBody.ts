import type { IncomingMessage } from 'node:http';
import { constants, type Http2ServerRequest } from 'node:http2';

/** Paths whose bodies may take as long as they go on arriving. */
const uploadPaths = /^\/api\/v1\/(?:uploads\/|media(?:$|\?)|dealers\/[^/?]+\/listing-imports(?:$|\?))/;
/** A little longer than what reads a body waits, so that its own answer comes first. */
const timeLimitMs = 35_000;

/**
 * Ends connections whose body does not come to its end in time; a file's body has the time again and again as long as
 * some of it arrives. Node's own limit knows one time for every path. Over HTTP/2 the request ends, and the connection,
 * which carries others, goes on; what arrives is counted for the connection there.
 */
export function limitBody(request: IncomingMessage | Http2ServerRequest, limitMs = timeLimitMs): void {
  const { headers, socket, url = '' } = request;
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) return;
  const isUpload = uploadPaths.test(url);
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    const arrived = socket.bytesRead > seen;
    seen = socket.bytesRead;
    if (!request.complete && !(isUpload && arrived)) cut(request);
  }, limitMs).unref();
  const stop = (): void => clearInterval(timer);
  request.once('end', stop).once('close', stop);
}

function cut(request: IncomingMessage | Http2ServerRequest): void {
  if ('stream' in request) request.stream.close(constants.NGHTTP2_CANCEL);
  else request.socket.destroy();
}

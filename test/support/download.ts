import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A received file, byte for byte. */
export interface Download {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Requests a path from this machine with the name of a host. */
export function download(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Download> {
  return new Promise((done, failed) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      buffer(response)
        .then((bytes) => done({ status: response.statusCode ?? 0, headers: response.headers, bytes }))
        .catch(failed);
    }).once('error', failed);
  });
}

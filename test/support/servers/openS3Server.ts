import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Faults of the next requests. Each entry is for one request. */
export type S3Fault = 'slowDown' | 'cutBody' | 'silent' | 'lostAnswer';

interface StoredObject {
  bytes: Buffer;
  etag: string;
  contentType: string | undefined;
}

interface Upload {
  key: string;
  parts: Map<number, Buffer>;
  contentType: string | undefined;
}

/** A server with the part of the S3 protocol that the store uses. It has one bucket in memory and verifies signatures. */
export interface S3Server {
  endpoint: string;
  bucket: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  objects: Map<string, StoredObject>;
  uploads: Map<string, Upload>;
  /** Method and query of each request, as in `PUT partNumber`. */
  requests: string[];
  /** Faults of the next requests. */
  faults: S3Fault[];
  close(): Promise<void>;
}

const bucket = 'trigate-test';
const region = 'eu-test-1';
const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'a-secret-of-the-tests' };

/** Opens the server on a free port of the loopback. */
export async function openS3Server(): Promise<S3Server> {
  const state = {
    objects: new Map<string, StoredObject>(),
    uploads: new Map<string, Upload>(),
    requests: [] as string[],
    faults: [] as S3Fault[],
  };
  const server = createServer((request, response) => {
    answer(request, response, state).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    ...state,
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    region,
    credentials,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

type State = Pick<S3Server, 'objects' | 'uploads' | 'requests' | 'faults'>;

class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const url = new URL(request.url ?? '', 'http://s3');
  const names = [...url.searchParams.keys()].filter((name) => name !== 'x-id');
  state.requests.push([request.method, ...names].join(' '));
  const fault = state.faults.shift();
  if (fault === 'silent') return;
  const body = await buffer(request);
  try {
    if (fault === 'slowDown') throw new Refused(503, 'SlowDown');
    assertSigned(request, url, body);
    const [, name, ...rest] = decodeURIComponent(url.pathname).split('/');
    if (name !== bucket) throw new Refused(404, 'NoSuchBucket');
    const reply = act(request, { url, body, key: rest.join('/') }, state);
    if (fault === 'lostAnswer') return void response.destroy();
    send(response, request, reply, fault === 'cutBody');
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const text = `<?xml version="1.0"?><Error><Code>${error.code}</Code><Message>refused</Message></Error>`;
    send(response, request, { status: error.status, headers: {}, body: Buffer.from(text) }, false);
  }
}

interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

function send(response: ServerResponse, request: IncomingMessage, reply: Reply, isCut: boolean): void {
  response.writeHead(reply.status, {
    ...(reply.status === 204 ? {} : { 'content-length': reply.headers.size ?? reply.body.length }),
    ...reply.headers,
  });
  if (request.method === 'HEAD') return void response.end();
  if (!isCut) return void response.end(reply.body);
  response.write(reply.body.subarray(0, Math.floor(reply.body.length / 2)), () => response.destroy());
}

const done = (status: number, headers: Record<string, string> = {}, text = ''): Reply => ({
  status,
  headers,
  body: Buffer.from(text),
});

interface Call {
  url: URL;
  body: Buffer;
  key: string;
}

function act(request: IncomingMessage, call: Call, state: State): Reply {
  const { method = '' } = request;
  const query = call.url.searchParams;
  if (method === 'POST' && query.has('uploads')) return createUpload(request, call, state);
  if (method === 'POST') return completeUpload(call, state);
  if (method === 'PUT' && query.has('partNumber')) return storePart(call, state);
  if (method === 'PUT') return storeObject(request, call, state);
  if (method === 'DELETE' && query.has('uploadId')) {
    if (!state.uploads.delete(query.get('uploadId') ?? '')) throw new Refused(404, 'NoSuchUpload');
    return done(204);
  }
  if (method === 'DELETE') {
    state.objects.delete(call.key);
    return done(204);
  }
  return readObject(request, call, state);
}

const tagOf = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');

function storeObject(request: IncomingMessage, { key, body }: Call, { objects }: State): Reply {
  const etag = `"${tagOf(body)}"`;
  objects.set(key, { bytes: body, etag, contentType: request.headers['content-type'] });
  return done(200, { etag });
}

function readObject(request: IncomingMessage, { key }: Call, { objects }: State): Reply {
  const found = objects.get(key);
  if (!found) throw new Refused(404, 'NoSuchKey');
  const { bytes, etag, contentType = 'binary/octet-stream' } = found;
  const headers = { etag, 'content-type': contentType, 'accept-ranges': 'bytes' };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (first === undefined) {
    const length = String(bytes.length);
    return { status: 200, headers: { ...headers, 'content-length': length }, body: bytes };
  }
  if (Number(first) >= bytes.length) throw new Refused(416, 'InvalidRange');
  const part = bytes.subarray(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`;
  return { status: 206, headers: { ...headers, 'content-range': range }, body: part };
}

function createUpload(request: IncomingMessage, { key }: Call, { uploads }: State): Reply {
  const id = randomBytes(12).toString('hex');
  const contentType = request.headers['content-type'];
  uploads.set(id, { key, parts: new Map(), contentType });
  return done(
    200,
    {},
    `<InitiateMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
  );
}

function uploadOf({ url }: Call, { uploads }: State): Upload & { id: string } {
  const id = url.searchParams.get('uploadId') ?? '';
  const upload = uploads.get(id);
  if (!upload) throw new Refused(404, 'NoSuchUpload');
  return { ...upload, id };
}

function storePart(call: Call, state: State): Reply {
  uploadOf(call, state).parts.set(Number(call.url.searchParams.get('partNumber')), call.body);
  return done(200, { etag: `"${tagOf(call.body)}"` });
}

/** Parts must be listed with their tags, in order. All but the last one must have at least 5 MiB. */
function completeUpload(call: Call, state: State): Reply {
  const { id, key, parts, contentType } = uploadOf(call, state);
  const named = [...call.body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    tag: /<ETag>(?:&quot;|")([0-9a-f]+)/.exec(part)?.[1],
  }));
  const chosen = named.map(({ number, tag }, index) => {
    const bytes = parts.get(number);
    if (!bytes || tagOf(bytes) !== tag) throw new Refused(400, 'InvalidPart');
    if (number !== index + 1) throw new Refused(400, 'InvalidPartOrder');
    if (index < named.length - 1 && bytes.length < 5 * 1024 * 1024) throw new Refused(400, 'EntityTooSmall');
    return bytes;
  });
  if (chosen.length === 0) throw new Refused(400, 'MalformedXML');
  const bytes = Buffer.concat(chosen);
  const etag = `"${tagOf(bytes)}-${chosen.length}"`;
  state.objects.set(key, { bytes, etag, contentType });
  state.uploads.delete(id);
  return done(
    200,
    {},
    `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>${etag.replaceAll('"', '&quot;')}</ETag></CompleteMultipartUploadResult>`,
  );
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Signature Version 4 in the header `Authorization`, over exactly these bytes. */
function assertSigned({ method, headers }: IncomingMessage, url: URL, body: Buffer): void {
  const [, keyId, date = '', signed = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/eu-test-1\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const payload = String(headers['x-amz-content-sha256']);
  if (keyId !== credentials.accessKeyId) throw new Refused(403, 'InvalidAccessKeyId');
  if (payload !== sha256(body)) throw new Refused(400, 'XAmzContentSHA256Mismatch');
  const encode = (text: string): string =>
    encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, url.pathname, query, lines.join(''), signed, payload].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  const key = [date, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  );
  if (hmac(key, text).toString('hex') !== signature) throw new Refused(403, 'SignatureDoesNotMatch');
}

import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import { readUploadToken, signUploadToken } from '../../../platform/storage/uploadToken.ts';
import { MediaModel } from '../model.ts';
import { originalKey, uploadKey } from '../storageKeys.ts';

const { market, stack } = product();
const ada = perTest(() => market.user());
afterEach(() => stack.resetClock());

const megabyte = 1024 * 1024;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const photo = (byteSize = 50_000) => Buffer.alloc(byteSize, byteSize % 251);
const jpeg = { filename: 'front.jpg', contentType: 'image/jpeg', purpose: 'LISTING' } as const;
type Declared = Partial<Parameters<SeededUser['createMedia']>[0]>;
const declare = (members: Declared = {}, by = ada) => by.createMedia({ ...jpeg, ...members });
/** Declares a file. Returns its id and the URL for its bytes. */
const begin = async (members: Declared = {}) => {
  const { id, upload } = (await declare(members)).media;
  return { id, url: String(upload?.url) };
};
const complete = (mediaId: string) => ada.completeMediaUpload({ mediaId });
const send = (url: string, body: Buffer, headers: Record<string, string> = {}) =>
  market.visitor.rest('PUT', new URL(url).pathname, {
    body,
    headers: { 'content-type': 'image/jpeg', ...headers },
  });
const files = () => market.records(MediaModel);
const stored = (id: string) => files().findOne({ _id: id });
const read = async (key: string) => {
  const file = await stack.platform.storage.open(key);
  return file && buffer(file.stream);
};
const uploaded = (id: string) => read(uploadKey({ installationId: market.installation.id, _id: id }));
const originalOf = async (id: string) =>
  read(originalKey(market.installation.id, (await stored(id))?.original ?? ''));

/** Sends the beginning of a request and disconnects. */
async function breakOff(text: string): Promise<void> {
  const socket = connect(await stack.port(), '127.0.0.1');
  await new Promise<void>((written) => socket.write(text, () => written()));
  socket.destroy();
  await new Promise((closed) => socket.once('close', closed));
}

test('a declared file accepts its bytes and stores them unchanged', async () => {
  const bytes = photo();
  const facts = { byteSize: bytes.length, sha256: sha256(bytes) };
  const { media } = await declare({ ...facts, altText: ' From the front ' });
  expect(media).toMatchObject({
    kind: 'IMAGE',
    visibility: 'PUBLIC',
    state: 'AWAITING_UPLOAD',
    altText: 'From the front',
    upload: {
      method: 'PUT',
      headers: [
        { name: 'Content-Type', value: 'image/jpeg' },
        { name: 'Content-Length', value: '50000' },
      ],
      headersByName: { 'Content-Type': 'image/jpeg', 'Content-Length': '50000' },
    },
  });
  const { id, upload } = media;
  expect(await complete(id)).toBeRefused(409, 'upload_missing');
  expect(await send(String(upload?.url), bytes)).toMatchObject({ status: 200, body: facts });
  const completed = await complete(id);
  expect(completed.media).toMatchObject({ id, state: 'PROCESSING', ...facts, upload: null });
  expect(await originalOf(id)).toEqual(bytes);
  expect(await uploaded(id)).toBeNull();
  expect(await complete(id)).toEqual(completed);
});

test('fifty concurrent completions complete a file once', async () => {
  const { id, url } = await begin();
  await send(url, photo());
  const answers = await concurrently(50, () => complete(id));
  for (const answer of answers) expect(answer).not.toBeRefused();
  expect(await stored(id)).toMatchObject({ state: 'processing', version: 2, drafts: [] });
  expect(await originalOf(id)).toEqual(photo());
});

test('other bytes than the declared ones are refused and not stored', async () => {
  const bytes = photo();
  const { id, url } = await begin({ byteSize: 50_000, sha256: sha256(bytes) });
  const other = Buffer.from(bytes).fill(0, 0, 1);
  expect(await send(url, other)).toBeRefused(409, 'checksum_mismatch');
  expect(await send(url, photo(49_999))).toBeRefused(409, 'checksum_mismatch');
  expect(await send(url, photo(16 * megabyte))).toBeRefused(413, 'file_too_large');
  expect(await send(url, bytes, { 'content-type': 'image/png' })).toBeRefused(415);
  expect(await uploaded(id)).toBeNull();
  expect(await complete(id)).toBeRefused(409, 'upload_missing');
  expect((await send(url, bytes)).status).toBe(200);
});

test('a file without a declared size is accepted up to the limit of its kind, also without a length', async () => {
  const { url } = await begin();
  const chunked = { 'transfer-encoding': 'chunked' };
  expect(await send(url, photo(16 * megabyte), chunked)).toBeRefused(413);
  expect((await send(url, photo(15 * megabyte), chunked)).status).toBe(200);
});

test('an interrupted upload stores no bytes', async () => {
  const { id, url } = await begin({ byteSize: 1_000_000 });
  const lines = [
    `PUT ${new URL(url).pathname} HTTP/1.1`,
    `Host: ${market.installation.hosts[0]}`,
    'Content-Type: image/jpeg',
    'Content-Length: 1000000',
    '',
    'x'.repeat(500_000),
  ];
  await breakOff(lines.join('\r\n'));
  expect(await complete(id)).toBeRefused(409, 'upload_missing');
  expect(await uploaded(id)).toBeNull();
});

test('a declared file expires after one hour with its link and its bytes', async () => {
  const { id, url } = await begin();
  expect((await send(url, photo())).status).toBe(200);
  stack.advance(3600_000);
  expect(await send(url, photo())).toBeRefused(410, 'upload_expired');
  await stack.runJob('identity.media-upkeep');
  expect(await stored(id)).toMatchObject({ state: 'failed', failure: { code: 'upload_expired' } });
  stack.advance(600_000);
  await stack.runJob('identity.media-upkeep');
  expect(await stored(id)).toMatchObject({ upload: null });
  expect(await uploaded(id)).toBeNull();
});

test.each<[string, Declared, number, string]>([
  ['SVG', { contentType: 'image/svg+xml' }, 415, 'unsupported_media_type'],
  [
    'the name of an inherited object member as its type',
    { contentType: 'toString' },
    415,
    'unsupported_media_type',
  ],
  ['a document for a listing', { contentType: 'application/pdf' }, 415, 'unsupported_media_type'],
  ['more than 15 MB', { byteSize: 15 * megabyte + 1 }, 413, 'file_too_large'],
])('a declaration is refused with %s', async (_, members, status, code) => {
  expect(await declare(members)).toBeRefused(status, code);
});

test('the refusal of a declared file names every invalid member', async () => {
  const wrong = { byteSize: 0, sha256: 'abc', filename: ' \u202e ', altText: 'x'.repeat(501) };
  expect(await declare(wrong)).toBeInvalid('#/filename', '#/byteSize', '#/sha256', '#/altText');
  expect(await declare({ purpose: 'LOGO' })).toBeInvalid('#/dealerId');
});

test('folders and invisible characters are removed from the name of a file', async () => {
  const { media } = await declare({ filename: '../../etc/C:\\photos\\fr\u202eont\u0000.jpg' });
  expect(media.filename).toBe('front.jpg');
});

test('content that the owner already has needs no upload, and content of other owners is not reused', async () => {
  const bytes = photo(60_000);
  const known = { sha256: sha256(bytes), byteSize: bytes.length };
  const first = await begin();
  await send(first.url, bytes);
  await complete(first.id);
  const second = (await declare(known)).media;
  expect(second).toMatchObject({ state: 'PROCESSING', upload: null, byteSize: bytes.length });
  const third = await begin();
  await send(third.url, bytes);
  await complete(third.id);
  const records = await Promise.all([first, second, third].map(({ id }) => stored(id)));
  expect(new Set(records.map((record) => record?.original)).size).toBe(1);
  expect((await declare(known, await market.user())).media.state).toBe('AWAITING_UPLOAD');
});

test('a user can upload at most one gigabyte a day', async () => {
  const video = { filename: 'tour.mp4', contentType: 'video/mp4', byteSize: 200 * megabyte };
  for (let count = 0; count < 5; count += 1) expect(await declare(video)).not.toBeRefused();
  expect(await declare(video)).toBeRefused(403, 'media_quota_exceeded');
  expect(await declare({ ...video, byteSize: 24 * megabyte })).not.toBeRefused();
  const { id, url } = await begin();
  await send(url, photo());
  expect(await complete(id)).toBeRefused(403, 'media_quota_exceeded');
});

test('an upload link that was changed or is of another installation is not found', async () => {
  const { url } = await begin();
  const token = new URL(url).pathname.split('/').at(-1) ?? '';
  const secret = stack.platform.secrets.derive('upload');
  const grant = readUploadToken(secret, token);
  if (!grant) throw new Error(`${url} is no upload link.`);
  expect(grant).toMatchObject({ byteSize: null, contentType: 'image/jpeg', sha256: null });
  for (let at = 0; at < token.length; at += 1) {
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    expect(readUploadToken(secret, changed)).toBeNull();
  }
  const foreign = signUploadToken(secret, { ...grant, installationId: stack.other.id });
  const forged = signUploadToken(Buffer.alloc(32, 1), grant);
  for (const other of [foreign, forged, `${token}x`, 'x', 'a.b'])
    expect(await send(url.replace(token, other), photo(10))).toBeRefused(404);
});

const post = (form: FormData, { by = ada, headers = {} } = {}) =>
  by.rest('POST', '/api/v1/media', { body: form, headers });

function formOf(fields: Record<string, string>, bytes: Buffer | null, type = 'image/jpeg'): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (bytes) form.append('file', new Blob([new Uint8Array(bytes)], { type }), 'front.jpg');
  return form;
}

test('a form with a file is a complete upload', async () => {
  const bytes = photo(3_000_000);
  const answer = await post(formOf({ purpose: 'listing', altText: 'Front' }, bytes));
  expect(answer).toMatchObject({
    status: 201,
    body: {
      state: 'processing',
      filename: 'front.jpg',
      altText: 'Front',
      byteSize: bytes.length,
      upload: null,
    },
  });
  expect(answer.headers.get('location')).toBe(`/api/v1/media/${answer.body.id}`);
  expect(answer.headers.get('etag')).toMatch(/^"2-/);
  expect((await originalOf(answer.body.id))?.equals(bytes)).toBe(true);
});

test.each([
  ['all fields after the file', {}, { purpose: 'listing', altText: 'Front' }],
  ['the file between its fields', { purpose: 'listing' }, { altText: 'Front' }],
])('a form with %s is a complete upload', async (_, before, after) => {
  const bytes = photo(300_000);
  const form = formOf(before, bytes);
  for (const [name, value] of Object.entries(after)) form.append(name, value);
  const answer = await post(form);
  expect(answer).toMatchObject({
    status: 201,
    body: { filename: 'front.jpg', purpose: 'listing', altText: 'Front' },
  });
  expect((await originalOf(answer.body.id))?.equals(bytes)).toBe(true);
});

test('a form for a dealer is refused for a user who is not a member, and stores no file', async () => {
  const { id: dealerId, owner } = await market.dealer();
  const fields = { purpose: 'logo', dealerId };
  expect(await post(formOf(fields, photo(2_000_000)))).toBeRefused(403, 'dealer_role_required');
  const ofDealer = { status: 201, body: { owner: { type: 'dealer', id: dealerId } } };
  expect(await post(formOf(fields, photo()), { by: owner })).toMatchObject(ofDealer);
  expect(await files().count({ 'owner.id': ada.id })).toBe(0);
});

test('a form that is sent again with the same idempotency key creates one file', async () => {
  const headers = { 'idempotency-key': 'form' };
  const call = () => post(formOf({ purpose: 'avatar' }, photo()), { headers });
  const [first, second] = [await call(), await call()];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.id).toBe(first.body.id);
});

test('an upload is refused with 507 while the storage is full, and accepted afterwards', async () => {
  const { storage } = stack.platform;
  const put = storage.put;
  const { url } = await begin();
  try {
    storage.put = async (_, bytes) => {
      bytes.destroy();
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    expect(await post(formOf({ purpose: 'avatar' }, photo(3_000_000)))).toBeRefused(
      507,
      'insufficient_storage',
    );
    expect(await send(url, photo())).toBeRefused(507, 'insufficient_storage');
  } finally {
    storage.put = put;
  }
  expect(await send(url, photo())).toMatchObject({ status: 200 });
  expect(await post(formOf({ purpose: 'avatar' }, photo()))).toMatchObject({ status: 201 });
});

const twoFiles = () => {
  const form = formOf({ purpose: 'listing' }, photo());
  form.append('file', new Blob(['more']), 'more.jpg');
  return form;
};
const listing = { purpose: 'listing' };
const withState = { ...listing, state: 'ready' };
test.each<[string, () => FormData, number, string, string | null]>([
  ['without a file', () => formOf(listing, null), 422, 'validation_failed', '#/file'],
  ['without a purpose', () => formOf({}, photo()), 422, 'validation_failed', '#/purpose'],
  ['with an unknown purpose', () => formOf({ purpose: 'x' }, photo()), 422, 'validation_failed', '#/purpose'],
  ['with an unknown field', () => formOf(withState, photo()), 422, 'unknown_field', '#/state'],
  ['with two files', twoFiles, 422, 'validation_failed', '#/file'],
  ['with an HTML page', () => formOf(listing, photo(), 'text/html'), 415, 'unsupported_media_type', null],
  ['with a video', () => formOf(listing, photo(), 'video/mp4'), 415, 'unsupported_media_type', null],
  ['with more than 15 MB', () => formOf(listing, photo(15 * megabyte + 1)), 413, 'file_too_large', null],
  ['of more than 25 MB', () => formOf(listing, photo(26 * megabyte)), 413, 'payload_too_large', null],
])('a form %s is refused', async (_, form, status, code, pointer) => {
  expect(await post(form())).toBeRefused(status, code, pointer ? { errors: [{ pointer }] } : {});
});

const part = (head: string, body = '') => `--b\r\n${head}\r\n\r\n${body}\r\n`;
const purpose = part('Content-Disposition: form-data; name="purpose"', 'listing');
const fileHead = 'Content-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg';
const file = part(fileHead, 'x'.repeat(1000));
const endless = 'Content-Disposition: form-data; name="purpose"';

test.each<[string, string, string?]>([
  ['no parts', ''],
  ['no boundary', `${purpose}${file}--b--\r\n`, ''],
  ['another boundary', `${purpose}${file}--b--\r\n`, 'c'],
  ['random bytes', '\u0000\u0001\u0002'.repeat(1000)],
  ['no final boundary', `${purpose}${file}`],
  ['an unterminated part header', `--b\r\nContent-Disposition: form-data; name="${'x'.repeat(30_000)}`],
  ['a part without a name', part('Content-Type: image/jpeg', 'x') + file],
  ['a truncated file', `${purpose}${file.slice(0, 300)}`],
  ['hundreds of fields', purpose.repeat(500)],
  ['a field of 200,000 characters', `${part(endless, 'x'.repeat(200_000))}${file}--b--`],
])('a form with %s is refused, and the next form is accepted', async (_, text, boundary = 'b') => {
  const type = `multipart/form-data${boundary === '' ? '' : `; boundary=${boundary}`}`;
  const { status, body } = await ada.rest('POST', '/api/v1/media', {
    text,
    headers: { 'content-type': type },
  });
  expect(Math.floor(status / 100)).toBe(4);
  expect(body.code).toMatch(
    /^(?:malformed_request|validation_failed|payload_too_large|unsupported_media_type)$/,
  );
  const left = await files().find({ 'owner.id': ada.id, state: { $ne: 'awaiting_upload' } });
  expect(left).toEqual([]);
  expect((await post(formOf({ purpose: 'avatar' }, photo(100)))).status).toBe(201);
});

test('a form that is interrupted at any position stores no bytes, and the next form is accepted', async () => {
  const whole = `${purpose}${part(fileHead, 'x'.repeat(300_000))}--b--\r\n`;
  const head = [
    'POST /api/v1/media HTTP/1.1',
    `Host: ${market.installation.hosts[0]}`,
    `Authorization: Bearer ${ada.token}`,
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${whole.length}`,
    '',
    '',
  ].join('\r\n');
  for (const cut of [0, 10, 60, 120, 200, 70_000, 200_000, whole.length - 3])
    await breakOff(head + whole.slice(0, cut));
  expect((await post(formOf({ purpose: 'avatar' }, photo(100)))).status).toBe(201);
  const left = await files().find({ 'owner.id': ada.id, purpose: 'listing' });
  for (const record of left) {
    expect(record.state).toBe('awaiting_upload');
    expect(await read(uploadKey(record))).toBeNull();
  }
});

import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { type SeededInstallation, type SeededUser, seed } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { readUploadToken, signUploadToken } from '../../platform/storage/uploadToken.ts';
import { buildIdentity } from '../server.ts';
import { MediaModel } from './model.ts';
import { originalKey, uploadKey } from './storageKeys.ts';

let rest: RestStack;
let shop: SeededInstallation;
let ada: SeededUser;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
});
beforeEach(async () => {
  ada = await shop.user();
});
afterAll(() => rest.close());

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const photo = (byteSize = 50_000) => Buffer.alloc(byteSize, byteSize % 251);
const declare = (body: object, by = ada) => rest.call('POST', '/api/v1/media', { token: by.token, body });
const stored = (id: string) => scoped(MediaModel, shop.installation.id).findOne({ _id: id });
const complete = (id: string, by = ada) =>
  rest.call('POST', `/api/v1/media/${id}/complete`, { token: by.token });

async function send(url: string, body: Uint8Array, headers: Record<string, string> = {}) {
  const response = await fetch(`${rest.origin}${new URL(url).pathname}`, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg', ...headers },
    body: body as Uint8Array<ArrayBuffer>,
  });
  return { status: response.status, body: await response.json() };
}

/** Bytes of a file as its owner would download them. */
async function read(key: string): Promise<Buffer | null> {
  const file = await rest.stack.platform.storage.open(key);
  if (!file) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of file.stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function originalOf(id: string): Promise<Buffer | null> {
  const record = await stored(id);
  return record?.original ? read(originalKey(shop.installation.id, record.original)) : null;
}

const jpeg = { filename: 'front.jpg', contentType: 'image/jpeg', purpose: 'listing' };

describe('a declared file', () => {
  test('says where its bytes go, takes them once they are sent, and keeps them as they were', async () => {
    const bytes = photo();
    const declared = await declare({
      ...jpeg,
      byteSize: bytes.length,
      sha256: sha256(bytes),
      altText: ' From the front ',
    });
    expect(declared).toMatchObject({
      status: 201,
      body: {
        owner: { type: 'user', id: ada.id },
        kind: 'image',
        visibility: 'public',
        state: 'awaiting_upload',
        altText: 'From the front',
        upload: { method: 'PUT', headers: { 'Content-Type': 'image/jpeg', 'Content-Length': '50000' } },
      },
    });
    const { id, upload } = declared.body;
    expect(declared.headers.get('location')).toBe(`/api/v1/media/${id}`);
    expect((await complete(id)).body).toMatchObject({ code: 'upload_missing', status: 409 });
    expect(await send(upload.url, bytes)).toEqual({
      status: 200,
      body: { byteSize: bytes.length, sha256: sha256(bytes) },
    });
    const completed = await complete(id);
    expect(completed).toMatchObject({
      status: 202,
      body: { id, state: 'processing', byteSize: bytes.length, sha256: sha256(bytes), upload: null },
    });
    expect(await originalOf(id)).toEqual(bytes);
    expect(await read(uploadKey({ installationId: shop.installation.id, _id: id }))).toBeNull();
    expect((await complete(id)).body).toEqual(completed.body);
  });

  test('by fifty completions at once is taken once', async () => {
    const { id, upload } = (await declare(jpeg)).body;
    await send(upload.url, photo());
    const answers = await Promise.all(Array.from({ length: 50 }, () => complete(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const record = await stored(id);
    expect(record).toMatchObject({ state: 'processing', version: 2, drafts: [] });
    expect(await originalOf(id)).toEqual(photo());
  });

  test('takes no bytes that it was not declared to have, and leaves none behind', async () => {
    const bytes = photo();
    const { id, upload } = (await declare({ ...jpeg, byteSize: 50_000, sha256: sha256(bytes) })).body;
    const other = Buffer.from(bytes).fill(0, 0, 1);
    expect(await send(upload.url, other)).toMatchObject({ status: 409, body: { code: 'checksum_mismatch' } });
    expect(await send(upload.url, photo(49_999))).toMatchObject({
      status: 409,
      body: { code: 'checksum_mismatch' },
    });
    expect(await send(upload.url, photo(16 * 1024 * 1024))).toMatchObject({
      status: 413,
      body: { code: 'file_too_large' },
    });
    expect(await send(upload.url, bytes, { 'content-type': 'image/png' })).toMatchObject({ status: 415 });
    expect(await read(uploadKey({ installationId: shop.installation.id, _id: id }))).toBeNull();
    expect((await complete(id)).body.code).toBe('upload_missing');
    expect((await send(upload.url, bytes)).status).toBe(200);
  });

  test('of no stated size takes any that its kind allows, also without a length', async () => {
    const { upload } = (await declare(jpeg)).body;
    const chunked = (byteSize: number) =>
      fetch(`${rest.origin}${new URL(upload.url).pathname}`, {
        method: 'PUT',
        headers: { 'content-type': 'image/jpeg' },
        duplex: 'half',
        body: new ReadableStream({
          start(controller) {
            for (let left = byteSize; left > 0; left -= 65_536)
              controller.enqueue(new Uint8Array(Math.min(left, 65_536)));
            controller.close();
          },
        }),
      } as RequestInit);
    expect((await chunked(16 * 1024 * 1024)).status).toBe(413);
    expect((await chunked(15 * 1024 * 1024)).status).toBe(200);
  });

  test('whose sender leaves in the middle has no bytes', async () => {
    const { id, upload } = (await declare({ ...jpeg, byteSize: 1_000_000 })).body;
    const key = uploadKey({ installationId: shop.installation.id, _id: id });
    const socket = connect(rest.port, '127.0.0.1');
    const head = `PUT ${new URL(upload.url).pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/jpeg\r\nContent-Length: 1000000\r\n\r\n`;
    await new Promise<void>((written) => socket.write(head + 'x'.repeat(500_000), () => written()));
    socket.destroy();
    await new Promise((closed) => socket.once('close', closed));
    expect((await complete(id)).body.code).toBe('upload_missing');
    expect(await read(key)).toBeNull();
  });

  test('is taken until an hour has passed; then the link, the completion and the record say so', async () => {
    const { id, upload } = (await declare(jpeg)).body;
    expect((await send(upload.url, photo())).status).toBe(200);
    rest.stack.advance(3600_000);
    const again = await declare(jpeg);
    expect(again.status).toBe(401);
    const token = upload.url.split('/').at(-1);
    expect(await send(upload.url, photo())).toMatchObject({ status: 410, body: { code: 'upload_expired' } });
    await rest.stack.runJob('identity.media-upkeep');
    expect(await stored(id)).toMatchObject({ state: 'failed', failure: { code: 'upload_expired' } });
    rest.stack.advance(600_000);
    await rest.stack.runJob('identity.media-upkeep');
    expect(await stored(id)).toMatchObject({ upload: null });
    expect(await read(uploadKey({ installationId: shop.installation.id, _id: id }))).toBeNull();
    expect(token).toMatch(/^[\w.-]+$/);
  });

  test('is refused where it is of a type, size, purpose or owner that is not taken', async () => {
    const dealer = await shop.dealer();
    const refused = async (body: object) => {
      const answer = await declare({ ...jpeg, ...body });
      return [answer.status, answer.body.code, ...(answer.body.errors ?? []).map((one: any) => one.pointer)];
    };
    expect(await refused({ contentType: 'image/svg+xml' })).toEqual([415, 'unsupported_media_type']);
    expect(await refused({ contentType: 'toString' })).toEqual([415, 'unsupported_media_type']);
    expect(await refused({ contentType: 'application/pdf' })).toEqual([415, 'unsupported_media_type']);
    expect(await refused({ byteSize: 15 * 1024 * 1024 + 1 })).toEqual([413, 'file_too_large']);
    expect(
      await refused({ byteSize: 0, sha256: 'abc', filename: ' \u202e ', altText: 'x'.repeat(501) }),
    ).toEqual([422, 'validation_failed', '#/filename', '#/byteSize', '#/sha256', '#/altText']);
    expect(await refused({ purpose: 'logo' })).toEqual([422, 'validation_failed', '#/dealerId']);
    expect(await refused({ dealerId: 'dlr_none' })).toEqual([422, 'validation_failed', '#/dealerId']);
    expect(await refused({ dealerId: dealer.id })).toEqual([403, 'dealer_role_required']);
    expect(await refused({ state: 'ready' })).toEqual([422, 'unknown_field', '#/state']);
  });

  test('answers again under its key, and its name is a name', async () => {
    const call = () =>
      rest.call('POST', '/api/v1/media', {
        token: ada.token,
        body: { ...jpeg, filename: '../../etc/C:\\photos\\fr\u202eont\u0000.jpg' },
        headers: { 'idempotency-key': 'once' },
      });
    const [first, second] = [await call(), await call()];
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body.id).toBe(first.body.id);
    expect(first.body.filename).toBe('front.jpg');
  });

  test('with bytes that the owner has is there at once and keeps them once; others share nothing', async () => {
    const bytes = photo(60_000);
    const first = (await declare(jpeg)).body;
    await send(first.upload.url, bytes);
    await complete(first.id);
    const second = (await declare({ ...jpeg, sha256: sha256(bytes), byteSize: bytes.length })).body;
    expect(second).toMatchObject({ state: 'processing', upload: null, byteSize: bytes.length });
    const third = (await declare(jpeg)).body;
    await send(third.upload.url, bytes);
    await complete(third.id);
    const originals = await Promise.all(
      [first, second, third].map(async ({ id }) => (await stored(id))?.original),
    );
    expect(new Set(originals).size).toBe(1);
    const stranger = await shop.user();
    expect((await declare({ ...jpeg, sha256: sha256(bytes) }, stranger)).body.state).toBe('awaiting_upload');
  });

  test('is more than what is left of a gigabyte a day: 403', async () => {
    const video = {
      filename: 'tour.mp4',
      contentType: 'video/mp4',
      purpose: 'listing',
      byteSize: 200 * 1024 * 1024,
    };
    for (let count = 0; count < 5; count += 1) expect((await declare(video)).status).toBe(201);
    expect(await declare(video)).toMatchObject({ status: 403, body: { code: 'media_quota_exceeded' } });
    expect((await declare({ ...video, byteSize: 24 * 1024 * 1024 })).status).toBe(201);
    const { id, upload } = (await declare(jpeg)).body;
    await send(upload.url, photo());
    expect((await complete(id)).body.code).toBe('media_quota_exceeded');
  });
});

describe('an upload link', () => {
  test('changed in any character, or of another installation, is no link', async () => {
    const { upload } = (await declare(jpeg)).body;
    const token = new URL(upload.url).pathname.split('/').at(-1) ?? '';
    const secret = rest.stack.platform.secrets.derive('upload');
    const grant = readUploadToken(secret, token);
    expect(grant).toMatchObject({ byteSize: null, contentType: 'image/jpeg', sha256: null });
    const foreign = signUploadToken(secret, {
      ...(grant as NonNullable<typeof grant>),
      installationId: rest.stack.other.id,
    });
    const forged = signUploadToken(Buffer.alloc(32, 1), grant as NonNullable<typeof grant>);
    const changed = [...token].map(
      (_, index) => `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`,
    );
    for (const other of changed) expect(readUploadToken(secret, other)).toBeNull();
    for (const other of [foreign, forged, `${token}x`, 'x', 'a.b'])
      expect(await send(`http://localhost/api/v1/uploads/${other}`, photo(10))).toMatchObject({
        status: 404,
      });
  });
});

async function post(form: FormData, headers: Record<string, string> = {}, by = ada) {
  const response = await fetch(`${rest.origin}/api/v1/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, ...headers },
    body: form,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function formOf(fields: Record<string, string>, bytes: Buffer | null, type = 'image/jpeg'): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (bytes) form.append('file', new Blob([new Uint8Array(bytes)], { type }), 'front.jpg');
  return form;
}

describe('a form with a file', () => {
  test('is a whole upload: the answer is the file in processing', async () => {
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

  test('of a dealer needs a member, and what is refused leaves no file', async () => {
    const dealer = await shop.dealer();
    const fields = { purpose: 'logo', dealerId: dealer.id };
    expect(await post(formOf(fields, photo(2_000_000)))).toMatchObject({
      status: 403,
      body: { code: 'dealer_role_required' },
    });
    expect(await post(formOf(fields, photo()), {}, dealer.owner)).toMatchObject({
      status: 201,
      body: { owner: { type: 'dealer', id: dealer.id } },
    });
    expect(await scoped(MediaModel, shop.installation.id).count({ 'owner.id': ada.id })).toBe(0);
  });

  test('again under its key is the same file', async () => {
    const call = () => post(formOf({ purpose: 'avatar' }, photo()), { 'idempotency-key': 'form' });
    const [first, second] = [await call(), await call()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).toBe(first.body.id);
  });

  test.each<[string, () => FormData, number, string, string[]]>([
    ['without a file', () => formOf({ purpose: 'listing' }, null), 422, 'validation_failed', ['#/file']],
    ['without a purpose', () => formOf({}, photo()), 422, 'validation_failed', ['#/purpose']],
    [
      'with an unknown field',
      () => formOf({ purpose: 'listing', state: 'ready' }, photo()),
      422,
      'unknown_field',
      ['#/state'],
    ],
    [
      'with an unknown purpose',
      () => formOf({ purpose: 'LISTING' }, photo()),
      422,
      'validation_failed',
      ['#/purpose'],
    ],
    [
      'of a type that is not taken',
      () => formOf({ purpose: 'listing' }, photo(), 'text/html'),
      415,
      'unsupported_media_type',
      [],
    ],
    [
      'with a video',
      () => formOf({ purpose: 'listing' }, photo(), 'video/mp4'),
      415,
      'unsupported_media_type',
      [],
    ],
    [
      'with a file that is too large',
      () => formOf({ purpose: 'listing' }, photo(15 * 1024 * 1024 + 1)),
      413,
      'file_too_large',
      [],
    ],
    [
      'that is too large',
      () => formOf({ purpose: 'listing' }, photo(26 * 1024 * 1024)),
      413,
      'payload_too_large',
      [],
    ],
  ])('%s is refused', async (_, form, status, code, pointers) => {
    const answer = await post(form());
    expect(answer).toMatchObject({ status, body: { code } });
    expect((answer.body.errors ?? []).map((one: any) => one.pointer)).toEqual(pointers);
  });

  test('with two files, or a field behind the file, is refused', async () => {
    const two = formOf({ purpose: 'listing' }, photo());
    two.append('file', new Blob(['more']), 'more.jpg');
    expect(await post(two)).toMatchObject({ status: 422, body: { errors: [{ pointer: '#/file' }] } });
    const late = formOf({ purpose: 'listing' }, photo());
    late.append('altText', 'late');
    expect(await post(late)).toMatchObject({ status: 422, body: { errors: [{ pointer: '#/altText' }] } });
  });

  const part = (head: string, body = '') => `--b\r\n${head}\r\n\r\n${body}\r\n`;
  const purpose = part('Content-Disposition: form-data; name="purpose"', 'listing');
  const file = part(
    'Content-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg',
    'x'.repeat(1000),
  );
  test.each<[string, string, string]>([
    ['nothing', '', 'b'],
    ['no boundary', `${purpose}${file}--b--\r\n`, ''],
    ['another boundary', `${purpose}${file}--b--\r\n`, 'c'],
    ['noise', '\u0000\u0001\u0002'.repeat(1000), 'b'],
    ['no end', `${purpose}${file}`, 'b'],
    ['a head that never ends', `--b\r\nContent-Disposition: form-data; name="${'x'.repeat(30_000)}`, 'b'],
    ['a part without a name', part('Content-Type: image/jpeg', 'x') + file, 'b'],
    ['a file that is cut', `${purpose}${file.slice(0, 300)}`, 'b'],
    ['hundreds of fields', purpose.repeat(500), 'b'],
    [
      'a field that never ends',
      `${part('Content-Disposition: form-data; name="purpose"', 'x'.repeat(200_000))}${file}--b--`,
      'b',
    ],
  ])('of %s is refused, and the next one is answered', async (_, text, boundary) => {
    const response = await fetch(`${rest.origin}/api/v1/media`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ada.token}`,
        'content-type': `multipart/form-data${boundary === '' ? '' : `; boundary=${boundary}`}`,
      },
      body: text,
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect((await response.json()).code).toMatch(
      /malformed_request|validation_failed|payload_too_large|unsupported_media_type/,
    );
    const left = await scoped(MediaModel, shop.installation.id).find({ 'owner.id': ada.id });
    expect(left.filter(({ state }) => state !== 'awaiting_upload')).toEqual([]);
    expect((await post(formOf({ purpose: 'avatar' }, photo(100)))).status).toBe(201);
  });

  test('whose sender leaves at any point neither ends the process nor leaves bytes', async () => {
    const whole = `${purpose}${part('Content-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg', 'x'.repeat(300_000))}--b--\r\n`;
    const head = [
      'POST /api/v1/media HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${ada.token}`,
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${whole.length}`,
      '',
      '',
    ].join('\r\n');
    for (const cut of [0, 10, 60, 120, 200, 70_000, 200_000, whole.length - 3]) {
      const socket = connect(rest.port, '127.0.0.1');
      await new Promise<void>((written) => socket.write(head + whole.slice(0, cut), () => written()));
      socket.destroy();
      await new Promise((closed) => socket.once('close', closed));
    }
    expect((await post(formOf({ purpose: 'avatar' }, photo(100)))).status).toBe(201);
    const left = await scoped(MediaModel, shop.installation.id).find({
      'owner.id': ada.id,
      purpose: 'listing',
    });
    for (const record of left) expect(await read(uploadKey(record))).toBeNull();
    expect(left.map(({ state }) => state)).toEqual(left.map(() => 'awaiting_upload'));
  });
});

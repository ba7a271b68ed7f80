import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createDiskStorage } from '../../../subgraphs/platform/storage/diskStorage.ts';
import { type FileGrant, signFileToken } from '../../../subgraphs/platform/storage/fileToken.ts';
import {
  publicFileKey,
  publicFileName,
  withheldKey,
} from '../../../subgraphs/platform/storage/publicFile.ts';
import type { Storage } from '../../../subgraphs/platform/storage/Storage.ts';
import { storageKey } from '../../../subgraphs/platform/storage/storageKey.ts';
import { type RunningFacade, startFacade } from '../../fixture/startFacade.ts';

const secret = Buffer.alloc(32, 3);
const text = 'abcdefghijklmnopqrstuvwxyz';
const key = storageKey('ins_shop', 'exports', 'exp_1');
let folder: string;
let storage: Storage;
let facade: RunningFacade;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'trigate-files-'));
  storage = createDiskStorage(folder);
  facade = await startFacade({ files: { storage, secret, uploadSecret: secret, now: Date.now } });
  for (const name of [key, storageKey('ins_other', 'exports', 'exp_1')])
    await storage.put(name, Readable.from([Buffer.from(text)]), { contentType: 'text/plain' });
});
afterAll(async () => {
  await facade.close();
  await rm(folder, { recursive: true });
});

const link = (grant: Partial<FileGrant> = {}, key_ = secret) =>
  `/api/v1/files/${signFileToken(key_, {
    installationId: 'ins_shop',
    key,
    filename: 'data.zip',
    contentType: 'application/zip',
    expiresAt: new Date(Date.now() + 60_000),
    ...grant,
  })}`;

test('a link delivers the file to be saved, and no cache keeps it', async () => {
  const { status, text: body, headers } = await facade.call(link());
  expect([status, body]).toEqual([200, text]);
  expect(headers).toMatchObject({
    'content-type': 'application/zip',
    'content-length': '26',
    'content-disposition': 'attachment; filename="data.zip"',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  expect(headers['x-request-id']).toMatch(/^[\w.-]+$/);
});

test('HEAD says the same and sends nothing', async () => {
  const { status, text: body, headers } = await facade.call(link(), { method: 'HEAD' });
  expect([status, body, headers['content-length']]).toEqual([200, '', '26']);
});

test.each([
  ['übersicht.zip', `attachment; filename="_bersicht.zip"; filename*=UTF-8''%C3%BCbersicht.zip`],
  ['a"b\\c.zip', `attachment; filename="a_b_c.zip"; filename*=UTF-8''a%22b%5Cc.zip`],
  ["it's (1).zip", `attachment; filename="it's (1).zip"`],
  [
    'x\r\nSet-Cookie: a=b',
    `attachment; filename="x__Set-Cookie: a=b"; filename*=UTF-8''x%0D%0ASet-Cookie%3A%20a%3Db`,
  ],
  ['\ud800.zip', `attachment; filename="_.zip"; filename*=UTF-8''%EF%BF%BD.zip`],
  ['🚗.zip', `attachment; filename="_.zip"; filename*=UTF-8''%F0%9F%9A%97.zip`],
])('the name %j reaches every browser whole and breaks no header', async (filename, disposition) => {
  const { headers } = await facade.call(link({ filename }));
  expect(headers['content-disposition']).toBe(disposition);
});

test.each([
  ['bytes=0-4', 206, 'abcde', 'bytes 0-4/26'],
  ['bytes=24-', 206, 'yz', 'bytes 24-25/26'],
  ['bytes=-3', 206, 'xyz', 'bytes 23-25/26'],
  ['bytes=-99', 206, text, 'bytes 0-25/26'],
  ['bytes=20-999', 206, 'uvwxyz', 'bytes 20-25/26'],
  ['bytes=5-4', 200, text, undefined],
  ['bytes=-', 200, text, undefined],
  ['bytes=0-1,3-4', 200, text, undefined],
  ['lines=0-4', 200, text, undefined],
  [`bytes=${'9'.repeat(30)}-`, 200, text, undefined],
])('the range %s is answered with %d', async (range, status, body, contentRange) => {
  const answer = await facade.call(link(), { headers: { range } });
  expect([answer.status, answer.text]).toEqual([status, body]);
  expect(answer.headers['content-range']).toBe(contentRange);
  expect(answer.headers['content-length']).toBe(String(body.length));
});

test.each(['bytes=26-', 'bytes=99-100', 'bytes=-0'])('the range %s is behind the end', async (range) => {
  const answer = await facade.call(link(), { headers: { range } });
  expect([answer.status, answer.json]).toMatchObject([416, { code: 'range_not_satisfiable' }]);
  expect(answer.headers['content-range']).toBe('bytes */26');
});

test('HEAD knows no range', async () => {
  const { status, headers } = await facade.call(link(), { method: 'HEAD', headers: { range: 'bytes=0-4' } });
  expect([status, headers['content-length']]).toEqual([200, '26']);
});

test('a range that depends on a version is answered with the whole file, because files have none', async () => {
  const { status } = await facade.call(link(), { headers: { range: 'bytes=0-4', 'if-range': '"x"' } });
  expect(status).toBe(200);
});

test('an Authorization header is not looked at', async () => {
  expect((await facade.call(link(), { token: 'rejected' })).status).toBe(200);
});

describe('404 in the same words for', () => {
  test.each([
    ['a link that is over', () => link({ expiresAt: new Date(Date.now() - 1) })],
    ['a forged link', () => link({}, Buffer.alloc(32, 4))],
    ['no link', () => '/api/v1/files/x'],
    ['a link with something behind it', () => `${link()}A`],
    ['an escaped spelling of a link', () => link().replace('.', '%2E')],
    [
      'a link of another installation',
      () => link({ installationId: 'ins_other', key: storageKey('ins_other', 'exports', 'exp_1') }),
    ],
    ['a file that is gone', () => link({ key: storageKey('ins_shop', 'exports', 'exp_2') })],
  ])('%s', async (_, path) => {
    const { status, json, headers } = await facade.call(path());
    expect([status, json]).toMatchObject([
      404,
      { code: 'not_found', detail: 'This file does not exist, or the link to it is not good any more.' },
    ]);
    expect(headers['content-type']).toBe('application/problem+json');
  });
});

describe('a public file', () => {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const file = { recordId: 'med_1', sha256, format: 'webp' } as const;
  const address = `/api/v1/files/${publicFileName(file)}`;
  const put = (name: string) =>
    storage.put(name, Readable.from([Buffer.from(text)]), { contentType: 'image/webp' });
  beforeAll(async () => {
    await put(publicFileKey('ins_shop', file));
    await put(publicFileKey('ins_other', { ...file, recordId: 'med_2' }));
  });

  test('is delivered by its content, and every cache keeps it for ever', async () => {
    const { status, text: body, headers } = await facade.call(address);
    expect([status, body]).toEqual([200, text]);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': '26',
      'content-disposition': `inline; filename="med_1-${sha256}.webp"`,
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${sha256}"`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  test('is not sent to a client that has it', async () => {
    for (const known of [`"${sha256}"`, `W/"${sha256}"`, `"x", "${sha256}"`, '*']) {
      const {
        status,
        text: body,
        headers,
      } = await facade.call(address, {
        headers: { 'if-none-match': known },
      });
      expect([status, body, headers.etag]).toEqual([304, '', `"${sha256}"`]);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
    expect((await facade.call(address, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
  });

  test.each([
    [`"${sha256}"`, 206, 'abcde'],
    [`W/"${sha256}"`, 200, text],
    ['"x"', 200, text],
    ['Fri, 20 Nov 2026 00:00:00 GMT', 200, text],
  ])('is sent in part to whoever has the rest of it: %s', async (validator, status, body) => {
    const answer = await facade.call(address, { headers: { range: 'bytes=0-4', 'if-range': validator } });
    expect([answer.status, answer.text]).toEqual([status, body]);
  });

  test('is gone while the files of its record are withheld, also for those who have it', async () => {
    const mark = withheldKey('ins_shop', 'med_1');
    await storage.put(mark, Readable.from([]), { contentType: 'application/octet-stream' });
    const known = { headers: { 'if-none-match': `"${sha256}"` } };
    const granted = link({ recordId: 'med_1' });
    expect((await facade.call(address)).status).toBe(404);
    expect((await facade.call(address, known)).status).toBe(404);
    expect((await facade.call(granted)).status).toBe(404);
    expect((await facade.call(link())).status).toBe(200);
    await storage.delete(mark);
    expect((await facade.call(address)).status).toBe(200);
    expect((await facade.call(granted)).status).toBe(200);
  });

  test('that is gone is not confirmed', async () => {
    const other = publicFileName({ ...file, recordId: 'med_3' });
    for (const headers of [{}, { 'if-none-match': '*' }])
      expect((await facade.call(`/api/v1/files/${other}`, { headers })).status).toBe(404);
  });

  test.each([
    ['with another format', () => address.replace('.webp', '.jpg')],
    ['in capitals', () => address.replace(sha256, sha256.toUpperCase())],
    ['of another installation', () => address.replace('med_1', 'med_2')],
    ['with something behind it', () => `${address}x`],
  ])('has no other name: %s', async (_, path) => {
    expect((await facade.call(path())).status).toBe(404);
  });
});

test('a client that leaves in the middle, and a file that breaks off, cost nobody else anything', async () => {
  const broken: Storage = {
    ...storage,
    open: () =>
      Promise.resolve({
        byteSize: 1000,
        stream: Readable.from(
          (function* () {
            yield Buffer.from('some');
            throw new Error('disk on fire');
          })(),
        ),
      }),
  };
  const other = await startFacade({
    files: { storage: broken, secret, uploadSecret: secret, now: Date.now },
  });
  // The length was promised already: a cut connection is the only honest end.
  await expect(other.call(link())).rejects.toThrow(/aborted|hang up|reset/);
  expect(other.faults).toMatchObject([
    { err: expect.objectContaining({ message: 'disk on fire' }), path: '/api/v1/files/…' },
  ]);
  expect((await other.call('/api/v1/health')).status).toBe(200);
  await other.close();
});

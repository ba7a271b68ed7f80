import { createHash } from 'node:crypto';
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
import { startFacade, useFacade } from '../../../test/support/facade/startFacade.ts';
import { tempFolder } from '../../../test/support/tempFolder.ts';

const secret = Buffer.alloc(32, 3);
const text = 'abcdefghijklmnopqrstuvwxyz';
const key = storageKey('ins_shop', 'exports', 'exp_1');
const folder = tempFolder();
const storage = createDiskStorage(folder);
const facade = useFacade({ files: { storage, secret, uploadSecret: secret, now: Date.now } });
const put = (name: string, contentType: string) =>
  storage.put(name, Readable.from([Buffer.from(text)]), { contentType });

beforeAll(async () => {
  await put(key, 'text/plain');
  await put(storageKey('ins_other', 'exports', 'exp_1'), 'text/plain');
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

test('a link delivers its file as an attachment that no cache stores', async () => {
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

test('a HEAD response has the headers of the whole file, also with a range', async () => {
  const call = { method: 'HEAD', headers: { range: 'bytes=0-4' } };
  const { status, text: body, headers } = await facade.call(link(), call);
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
])('the file name %j is encoded for every browser and injects no header', async (filename, disposition) => {
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
])('the range %s of a file returns status %d', async (range, status, body, contentRange) => {
  const answer = await facade.call(link(), { headers: { range } });
  expect([answer.status, answer.text]).toEqual([status, body]);
  expect(answer.headers['content-range']).toBe(contentRange);
  expect(answer.headers['content-length']).toBe(String(body.length));
});

test.each(['bytes=26-', 'bytes=99-100', 'bytes=-0'])(
  'the range %s starts beyond the end of the file and is refused',
  async (range) => {
    const answer = await facade.call(link(), { headers: { range } });
    expect([answer.status, answer.json]).toMatchObject([416, { code: 'range_not_satisfiable' }]);
    expect(answer.headers['content-range']).toBe('bytes */26');
  },
);

test('a link ignores If-Range and the Authorization header', async () => {
  const headers = { range: 'bytes=0-4', 'if-range': '"x"' };
  expect((await facade.call(link(), { headers, token: 'rejected' })).status).toBe(200);
});

test.each([
  ['an expired link', () => link({ expiresAt: new Date(Date.now() - 1) })],
  ['a forged link', () => link({}, Buffer.alloc(32, 4))],
  ['a text that is no link', () => '/api/v1/files/x'],
  ['a link with a further character', () => `${link()}A`],
  ['an escaped link', () => link().replace('.', '%2E')],
  [
    'a link of another installation',
    () => link({ installationId: 'ins_other', key: storageKey('ins_other', 'exports', 'exp_1') }),
  ],
  ['a deleted file', () => link({ key: storageKey('ins_shop', 'exports', 'exp_2') })],
])('%s returns 404 with the same problem', async (_, path) => {
  const { status, json, headers } = await facade.call(path());
  const detail = 'This file does not exist, or its link has expired.';
  expect([status, json]).toMatchObject([404, { code: 'not_found', detail }]);
  expect(headers['content-type']).toBe('application/problem+json');
});

describe('a public file', () => {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const file = { recordId: 'med_1', sha256, format: 'webp' } as const;
  const address = `/api/v1/files/${publicFileName(file)}`;
  const read = (headers: Record<string, string> = {}) => facade.call(address, { headers });
  beforeAll(async () => {
    await put(publicFileKey('ins_shop', file), 'image/webp');
    await put(publicFileKey('ins_other', { ...file, recordId: 'med_2' }), 'image/webp');
  });

  test('a public file is served by the hash of its content and cacheable for a year', async () => {
    const { status, text: body, headers } = await read();
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

  test('a public file returns 304 to a client that has it', async () => {
    for (const known of [`"${sha256}"`, `W/"${sha256}"`, `"x", "${sha256}"`, '*']) {
      const { status, text: body, headers } = await read({ 'if-none-match': known });
      expect([status, body, headers.etag]).toEqual([304, '', `"${sha256}"`]);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
    expect((await read({ 'if-none-match': '"x"' })).status).toBe(200);
  });

  test.each([
    [`"${sha256}"`, 206, 'abcde'],
    [`W/"${sha256}"`, 200, text],
    ['"x"', 200, text],
    ['Fri, 20 Nov 2026 00:00:00 GMT', 200, text],
  ])(
    'a public file is sent in part only if the tag matches: If-Range %s',
    async (validator, status, body) => {
      const answer = await read({ range: 'bytes=0-4', 'if-range': validator });
      expect([answer.status, answer.text]).toEqual([status, body]);
    },
  );

  test('a public file returns 404 while the files of its record are withheld, also for its tag and by a link', async () => {
    const mark = withheldKey('ins_shop', 'med_1');
    await put(mark, 'application/octet-stream');
    const statuses = async () => {
      const answers = [await read(), await read({ 'if-none-match': `"${sha256}"` })];
      for (const grant of [{ recordId: 'med_1' }, {}]) answers.push(await facade.call(link(grant)));
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([404, 404, 404, 200]);
    await storage.delete(mark);
    expect(await statuses()).toEqual([200, 304, 200, 200]);
  });

  test('a public file that was deleted returns 404 for every tag', async () => {
    const other = publicFileName({ ...file, recordId: 'med_3' });
    for (const headers of [{}, { 'if-none-match': '*' }])
      expect((await facade.call(`/api/v1/files/${other}`, { headers })).status).toBe(404);
  });

  test.each([
    ['with another format', () => address.replace('.webp', '.jpg')],
    ['in upper case', () => address.replace(sha256, sha256.toUpperCase())],
    ['of another installation', () => address.replace('med_1', 'med_2')],
    ['with a further character', () => `${address}x`],
  ])('a public file returns 404 %s', async (_, path) => {
    expect((await facade.call(path())).status).toBe(404);
  });
});

test('a file that cannot be read to its end closes the connection and is logged', async () => {
  function* failing() {
    yield Buffer.from('some');
    throw new Error('disk on fire');
  }
  const broken: Storage = {
    ...storage,
    open: () => Promise.resolve({ byteSize: 1000, stream: Readable.from(failing()) }),
  };
  const other = await startFacade({
    files: { storage: broken, secret, uploadSecret: secret, now: Date.now },
  });
  // The length is sent already: only a closed connection shows the failure to the client.
  await expect(other.call(link())).rejects.toThrow(/aborted|hang up|reset/);
  expect(other.faults).toMatchObject([
    { err: expect.objectContaining({ message: 'disk on fire' }), path: '/api/v1/files/…' },
  ]);
  expect((await other.call('/api/v1/health')).status).toBe(200);
  await other.close();
});

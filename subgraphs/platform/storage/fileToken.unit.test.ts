import { type FileGrant, readFileToken, signFileToken } from './fileToken.ts';

const secret = Buffer.alloc(32, 1);
const grant: FileGrant = {
  installationId: 'ins_one',
  key: 'ins_one/exports/exp_1',
  filename: 'Zoë’s “données”.zip',
  contentType: 'application/zip',
  expiresAt: new Date(1_800_000_000_000),
};
const before = grant.expiresAt.getTime() - 1;

test('a link stands for exactly what it was made for, until its time is over', () => {
  const token = signFileToken(secret, grant);
  expect(readFileToken(secret, token, before)).toEqual(grant);
  expect(readFileToken(secret, token, before + 1)).toBeNull();
});

test('a link that ends with a record names it', () => {
  const ofRecord = { ...grant, recordId: 'med_1' };
  expect(readFileToken(secret, signFileToken(secret, ofRecord), before)).toEqual(ofRecord);
});

test('a link needs no escaping in a path', () => {
  expect(signFileToken(secret, grant)).toMatch(/^[\w.-]+$/);
});

test('a link made under another secret is worth nothing', () => {
  expect(readFileToken(Buffer.alloc(32, 2), signFileToken(secret, grant), before)).toBeNull();
});

test('no link with another character anywhere is worth anything', () => {
  const token = signFileToken(secret, grant);
  const changed = [...token].flatMap((_, index) =>
    ['A', 'B', '_', '.'].map((character) => `${token.slice(0, index)}${character}${token.slice(index + 1)}`),
  );
  const good = changed.filter((text) => readFileToken(secret, text, before) !== null);
  expect(new Set(good)).toEqual(new Set([token]));
});

test.each(['', '.', 'x', 'a.b', 'a.b.c', `${'a'.repeat(5000)}.${'b'.repeat(43)}`, ' ', '%2e'])(
  '%j is no link',
  (token) => {
    expect(readFileToken(secret, token, before)).toBeNull();
  },
);

test('a link with something behind it, or before it, is none', () => {
  const token = signFileToken(secret, grant);
  for (const changed of [`${token}=`, `${token}.`, ` ${token}`, `${token}\n`])
    expect(readFileToken(secret, changed, before)).toBeNull();
});

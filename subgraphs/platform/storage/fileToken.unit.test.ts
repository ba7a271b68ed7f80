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

const token = signFileToken(secret, grant);

test('a file token is read as the grant that was signed, until it expires', () => {
  expect(readFileToken(secret, token, before)).toEqual(grant);
  expect(readFileToken(secret, token, before + 1)).toBeNull();
  const ofRecord = { ...grant, recordId: 'med_1' };
  expect(readFileToken(secret, signFileToken(secret, ofRecord), before)).toEqual(ofRecord);
});

test('a file token needs no escaping in a path', () => {
  expect(token).toMatch(/^[\w.-]+$/);
});

test('a file token that was signed with another secret is invalid', () => {
  expect(readFileToken(Buffer.alloc(32, 2), token, before)).toBeNull();
});

test('a file token with a changed or added character is invalid', () => {
  const changed = [...token].flatMap((_, index) =>
    ['A', 'B', '_', '.'].map((character) => `${token.slice(0, index)}${character}${token.slice(index + 1)}`),
  );
  const valid = changed.filter((text) => readFileToken(secret, text, before) !== null);
  expect(new Set(valid)).toEqual(new Set([token]));
  for (const text of [`${token}=`, `${token}.`, ` ${token}`, `${token}\n`])
    expect(readFileToken(secret, text, before)).toBeNull();
});

test.each([
  ['nothing', ''],
  ['a dot', '.'],
  ['one segment', 'x'],
  ['a short signature', 'a.b'],
  ['three segments', 'a.b.c'],
  ['a segment of 5,000 characters', `${'a'.repeat(5000)}.${'b'.repeat(43)}`],
  ['a space', ' '],
  ['an escaped dot', '%2e'],
])('a file token of %s is invalid', (_, text) => {
  expect(readFileToken(secret, text, before)).toBeNull();
});

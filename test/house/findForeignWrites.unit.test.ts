import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findForeignWrites } from './findForeignWrites.ts';

const file = 'subgraphs/identity/payments/refund/a.ts';
const imported = "import { type UserRecord, UserModel } from '../../people/user/model.ts';\n";

/** Models of other domains that a source writes. */
function writesOf(source: string, planted = file): string[] {
  const root = mkdtempSync(path.join(tmpdir(), 'trigate-writes-'));
  mkdirSync(path.join(root, path.dirname(planted)), { recursive: true });
  writeFileSync(path.join(root, planted), source);
  try {
    return findForeignWrites(root).map(({ model }) => model);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test.each([
  'scoped(\n  UserModel,\n  id,\n).updateMany({}, {});',
  'scoped<UserRecord>(UserModel, id).insert(user);',
  'UserModel.updateOne({ _id }, { $set: {} });',
  'const users = UserModel;\nusers.deleteMany({});',
  'dueJob({ model: UserModel, work });',
  'reads(UserModel, id).find({});\nbulk(UserModel, writes);',
])('a use of a model of another domain that can write is found: %j', (code) => {
  expect(writesOf(`${imported}${code}\n`)).toEqual(['UserModel']);
});

test('a model of another domain that is imported under another name is found', () => {
  const alias = "import { UserModel as PeopleModel } from '../../people/user/model.ts';\n";
  expect(writesOf(`${alias}scoped(PeopleModel, id);\n`)).toEqual(['PeopleModel']);
});

test.each([
  'reads(UserModel, id).findOne({});',
  'const users = recordLoader<UserRecord>(UserModel, { projection });',
  'export const source = outboxSource(\n  UserModel,\n  describe,\n);',
  'export const resource = { resolvers, models: [OwnModel, UserModel] };',
  '// UserModel is written by its domain.\nreads(UserModel, id).find({});',
])('a use of a model of another domain that only reads is not found: %j', (code) => {
  expect(writesOf(`${imported}${code}\n`)).toEqual([]);
});

test('a test, and a domain that writes its own collection, are not found', () => {
  expect(writesOf(`${imported}scoped(UserModel, id);\n`, file.replace('.ts', '.test.ts'))).toEqual([]);
  expect(writesOf("import { RefundModel } from './model.ts';\nscoped(RefundModel, id);\n")).toEqual([]);
});

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempFolders } from '../support/tempFolder.ts';
import { findForeignWrites } from './findForeignWrites.ts';

const model = 'subgraphs/identity/people/user/model.ts';
const folder = 'subgraphs/identity/payments/refund';
const imports = `import { UserModel, type UserRecord } from '../../people/user/model.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { syncIndexes } from '../../../platform/mongo/syncIndexes.ts';
import { isPaid } from './isPaid.ts';
`;

const newFolder = tempFolders();
let root: string;

beforeEach(() => {
  root = newFolder();
  plant(model, "export const UserModel = defineModel<UserRecord>('users');\n");
});

function plant(file: string, text: string): void {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

test.each([
  ['scoped', 'scoped(UserModel, id).updateMany({}, {});'],
  ['scoped over several lines', 'scoped(\n  UserModel,\n  id,\n).updateMany({}, {});'],
  ['scoped with a type argument', 'scoped<UserRecord>(UserModel, id).insert({});'],
  ['a write method of the model', 'UserModel.updateOne({}, {});'],
  ['a computed method of the model', "UserModel['find']({});"],
  ['the driver collection of the model', 'UserModel.collection.drop();'],
  ['a new document', 'new UserModel({}).save();'],
  ['an alias', 'const Users = UserModel;'],
  ['a destructured method', 'const { updateOne } = UserModel;'],
  ['a member of an object', 'takeSteps({ model: UserModel });'],
  ['an abbreviated member of an object', 'takeSteps({ UserModel });'],
  ['an argument of an unknown function', 'isPaid(UserModel);'],
  ['a list argument of an unknown function', 'isPaid([UserModel]);'],
  ['a cast', 'isPaid(UserModel as Users);'],
])('finds a model of another domain in %s', (_, text) => {
  plant(`${folder}/write.ts`, imports + text);
  expect(findForeignWrites(root)).toMatchObject([{ file: `${folder}/write.ts`, model: 'UserModel' }]);
});

test('finds a model of another domain that is imported under another name', () => {
  plant(
    `${folder}/write.ts`,
    "import { UserModel as Users } from '../../people/user/model.ts';\n\nUsers.create();\n",
  );
  expect(findForeignWrites(root)).toEqual([{ file: `${folder}/write.ts`, line: 3, model: 'UserModel' }]);
});

test('finds a write through scoped that is imported under the name reads', () => {
  plant(
    `${folder}/write.ts`,
    `import { UserModel } from '../../people/user/model.ts';
import { scoped as reads } from '../../../platform/installation/scoped.ts';
reads(UserModel, id);
`,
  );
  expect(findForeignWrites(root)).toMatchObject([{ model: 'UserModel' }]);
});

test.each([
  ['a namespace import', "import * as people from '../../people/user/model.ts';"],
  ['a dynamic import', "const { UserModel } = await import('../../people/user/model.ts');"],
  [
    'an import and re-export',
    "import { UserModel } from '../../people/user/model.ts'; export { UserModel };",
  ],
  ['an export', "export { UserModel } from '../../people/user/model.ts';"],
  ['an export of everything', "export * from '../../people/user/model.ts';"],
])('finds %s of a module with models of another domain', (_, text) => {
  plant(`${folder}/write.ts`, text);
  expect(findForeignWrites(root)).toEqual([{ file: `${folder}/write.ts`, line: 1, model }]);
});

test.each(['subgraphs/identity/createInstallation.ts', 'app/installation/foundInstallation.ts'])(
  'finds a write in %s, which belongs to no domain',
  (file) => {
    const specifier = path.posix.relative(path.posix.dirname(file), model);
    plant(file, `import { UserModel } from '${specifier.replace(/^(?!\.)/, './')}';\nUserModel.create();\n`);
    expect(findForeignWrites(root)).toMatchObject([{ file, model: 'UserModel' }]);
  },
);

test.each([
  ['reads', 'reads(UserModel, id).findOne({});'],
  ['reads with a type argument', 'reads<UserRecord>(UserModel, id).find({});'],
  ['a read method of the model', 'UserModel.findOne({});'],
  ['a type', 'let users: typeof UserModel;'],
  ['a list of indexes', 'syncIndexes([UserModel]);'],
  ['the models of a resource', 'export const refund = { models: [UserModel] };'],
  ['a member of the same name', 'isPaid(people.UserModel, { UserModel: 1 });'],
])('allows a model of another domain in %s', (_, text) => {
  plant(`${folder}/read.ts`, imports + text);
  expect(findForeignWrites(root)).toEqual([]);
});

test.each([
  ['its own domain', 'subgraphs/identity/people/profile/write.ts'],
  ['a test', `${folder}/write.test.ts`],
  ['a fixture', `${folder}/fixture/write.ts`],
  ['the demonstration', 'app/demonstration/write.ts'],
])('allows a write of a model in %s', (_, file) => {
  const specifier = path.posix.relative(path.posix.dirname(file), model);
  plant(file, `import { UserModel } from '${specifier}';\nUserModel.create();\n`);
  expect(findForeignWrites(root)).toEqual([]);
});

test('every model of the product has a name ending in Model, by which the check finds it', () => {
  const product = path.join(import.meta.dirname, '../..');
  const names = globSync('subgraphs/**/*.ts', { cwd: product }).flatMap((file) =>
    [...readFileSync(path.join(product, file), 'utf8').matchAll(/(\w+) = define(?:Model|Heads)[<(]/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !/^[A-Z]\w*Model$/.test(name))).toEqual([]);
});

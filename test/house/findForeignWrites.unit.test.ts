import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findForeignWrites } from './findForeignWrites.ts';

test('a file that opens the collection of another domain for writing is found, and one that reads it is not', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'trigate-writes-'));
  const plant = (file: string, text: string) => {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  const imported = "import { type UserRecord, UserModel } from '../../people/user/model.ts';\n";
  const file = 'subgraphs/identity/payments/refund';
  plant(`${file}/write.ts`, `${imported}scoped(\n  UserModel,\n  id,\n).updateMany({}, {});\n`);
  plant(`${file}/read.ts`, `${imported}reads(UserModel, id).findOne({});\n`);
  plant(`${file}/own.ts`, "import { RefundModel } from './model.ts';\nscoped(RefundModel, id);\n");
  plant(`${file}/write.test.ts`, `${imported}scoped(UserModel, id);\n`);
  expect(findForeignWrites(root)).toEqual([{ file: `${file}/write.ts`, model: 'UserModel' }]);
  rmSync(root, { recursive: true, force: true });
});

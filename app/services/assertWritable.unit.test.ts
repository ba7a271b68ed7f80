import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from '../../test/support/stack/runProgram.ts';
import { tempFolder } from '../../test/support/tempFolder.ts';
import { assertWritable } from './assertWritable.ts';

const folder = tempFolder();
beforeAll(async () => {
  await writeFile(path.join(folder, 'file'), '');
});

test('creates a missing data directory with its parent directories', async () => {
  const created = path.join(folder, 'a/b');
  await assertWritable(created);
  expect((await stat(created)).isDirectory()).toBe(true);
});

test.each(['file', 'file/below', 'file/far/below'])(
  'refuses %s as a data directory, and names the file in its path',
  async (name) => {
    const message = `DATA_DIR is "${path.join(folder, name)}", but "${path.join(folder, 'file')}" is a file; choose a folder`;
    await expect(assertWritable(path.join(folder, name))).rejects.toThrow(message);
  },
);

test.each([
  ['bin/main.ts', []],
  ['bin/database.ts', []],
  ['bin/keys.ts', ['list']],
])('%s prints one line and exits with 1 if DATA_DIR is below a file', async (script, args) => {
  const environment = { DATA_DIR: path.join(folder, 'file/below'), MONGODB_URI: '' };
  const { code, stderr } = await runProgram(script, args, environment);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^[^\n]*DATA_DIR is "[^\n]*\n$/);
});

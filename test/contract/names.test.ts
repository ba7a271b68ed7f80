import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);

test('no file or folder has a generic name, such as utils, helpers or common', () => {
  const junk = files.filter((file) =>
    /(^|\/)(utils?|helpers?|common|lib|shared|types|misc)(\/|\.ts$)/.test(file),
  );
  expect(junk).toEqual([]);
});

test('no folder contains an index.ts', () => {
  expect(files.filter((file) => /(^|\/)index\.ts$/.test(file))).toEqual([]);
});

/** Migrations have a number and a name, by which a database remembers them. */
const isMigration = /^subgraphs\/\w+\/migrations\/\d{4}-[a-z-]+\.ts$/;

test('no name of a TypeScript file contains a hyphen or an underscore', () => {
  const odd = files.filter(
    (file) =>
      /(?<!\.d)\.ts$/.test(file) &&
      !isMigration.test(file) &&
      /[-_]/.test(path.basename(file).replace(/\.(test|generated)\.ts$/, '')),
  );
  expect(odd).toEqual([]);
});

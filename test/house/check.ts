import path from 'node:path';
import { readArguments } from '../../app/commands/readArguments.ts';
import { findForeignWrites } from './findForeignWrites.ts';
import { findLargeFolders } from './findLargeFolders.ts';
import { findViolations } from './findViolations.ts';
import { findWords } from './findWords.ts';
import { boundaries } from './rules.ts';

readArguments({
  command: 'npm run house',
  about: `Prints each import and each circle of folders that breaks a rule of test/house/rules.ts, each file that could
write records of another domain, each folder that holds too many files, and each word in prose that hides its subject.
The exit code is 1 if there is one.`,
});

const root = path.join(import.meta.dirname, '../..');
const violations = await findViolations(root);
for (const { rule, from, to } of violations) {
  const reason =
    boundaries.find(({ name }) => name === rule)?.reason ??
    'Folders that import each other cannot be read one by one.';
  console.error(`${from}\n  imports ${to}\n  ${rule}: ${reason}`);
}
const large = findLargeFolders(root);
for (const { folder, files } of large)
  console.error(`${folder} holds ${files} files: split it by what is read together.`);
const writes = findForeignWrites(root);
for (const { file, line, model } of writes)
  console.error(
    `${file}:${line} may write ${model} of another domain: use reads, or a function of that domain.`,
  );
const words = findWords(root);
for (const { file, line, word, instead } of words) console.error(`${file}:${line}: "${word}": ${instead}.`);
process.exitCode = violations.length + large.length + writes.length + words.length > 0 ? 1 : 0;

import path from 'node:path';
import { readArguments } from '../../app/commands/readArguments.ts';
import { foldersInCircles, imports } from './exceptions.ts';
import { circle, findViolations, type Violation } from './findViolations.ts';
import { boundaries } from './rules.ts';

readArguments({
  command: 'npm run house',
  about: `Prints each import and each circle of folders that breaks a rule of test/house/rules.ts and is not listed in
exceptions.ts, and each exception that is not needed any more. The exit code is 1 if there is one.`,
});

const keyOf = (...parts: readonly string[]): string => parts.join(' ');
const excepted = new Set([
  ...foldersInCircles.map((folder) => keyOf(circle, folder)),
  ...imports.map((each) => keyOf(...each)),
]);
const keyOfViolation = ({ rule, from, to }: Violation): string =>
  rule === circle ? keyOf(rule, from) : keyOf(rule, from, to);

const violations = await findViolations(path.join(import.meta.dirname, '../..'));
const found = new Set(violations.map(keyOfViolation));
const unexpected = violations.filter((violation) => !excepted.has(keyOfViolation(violation)));
const stale = [...excepted].filter((key) => !found.has(key));

for (const { rule, from, to } of unexpected) {
  const reason =
    boundaries.find(({ name }) => name === rule)?.reason ??
    'Folders that import each other cannot be read one by one.';
  console.error(`${from}\n  imports ${to}\n  ${rule}: ${reason}`);
}
for (const key of stale) console.error(`test/house/exceptions.ts lists what breaks no rule: ${key}`);
process.exitCode = unexpected.length + stale.length > 0 ? 1 : 0;

import { readArguments } from '../app/commands/readArguments.ts';
import { runSteps, type Step } from '../app/commands/runSteps.ts';

const steps: readonly Step[] = [
  ['tsc', '--noEmit'],
  ['oxlint', '--type-aware', '--deny-warnings'],
  ['biome', 'check', '.'],
  ['knip', '--no-gitignore'],
  ['node', 'test/house/check.ts'],
  ['node', 'bin/generate.ts', '--check'],
];

readArguments({
  command: 'npm run check',
  about: `Checks types, rules of the linter, format, unused code, imports between folders and generated files, with:

${steps.map((step) => `  ${step.join(' ')}`).join('\n')}`,
});
runSteps(steps);

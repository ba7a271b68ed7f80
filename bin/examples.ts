import { readArguments } from '../app/commands/readArguments.ts';
import { runSteps } from '../app/commands/runSteps.ts';

readArguments({
  command: 'npm run examples',
  about: 'Records the responses shown in the documentation and generates the pages that show them.',
});
runSteps(
  [
    ['jest', 'test/contract/documentedAnswers.test.ts'],
    ['node', 'bin/generate.ts'],
  ],
  { RECORD_EXAMPLES: '1' },
);

import { readArguments } from '../app/commands/readArguments.ts';
import { runSteps } from '../app/commands/runSteps.ts';

readArguments({
  command: 'npm run examples',
  about: 'Records the answers that the documentation shows, and generates what shows them.',
});
runSteps(
  [
    ['jest', 'test/contract/documentedAnswers.test.ts'],
    ['node', 'bin/generate.ts'],
  ],
  { RECORD_EXAMPLES: '1' },
);
